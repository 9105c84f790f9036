"""The board of Venice (000-16): 58 spaces, 66 routes by land, 33 by water; the same for all editions."""

LAND_ROUTES = """
misericordia-madonna_dell_orto misericordia-gesuiti madonna_dell_orto-tre_archi madonna_dell_orto-san_marcuola
sant_alvise-tre_archi tre_archi-ghetto ghetto-san_marcuola ghetto-scalzi san_stae-san_giacomo_dell_orio
san_stae-rialto_market santa_fosca-gesuiti santa_fosca-ca_d_oro santi_apostoli-fondamente_nove santi_apostoli-ca_d_oro
santi_apostoli-rialto fondamente_nove-san_zanipolo san_giacomo_dell_orio-scalzi scalzi-tronchetto scalzi-frari
tronchetto-piazzale_roma tronchetto-santa_marta piazzale_roma-frari piazzale_roma-tolentini frari-ca_foscari
santa_marta-san_nicolo san_nicolo-san_basilio tolentini-santa_margherita santa_margherita-san_basilio
santa_margherita-san_trovaso santa_margherita-ca_foscari san_basilio-zattere sacca_fisola-sant_eufemia
sant_eufemia-giudecca_gardens zattere-san_trovaso zattere-spirito_santo san_trovaso-accademia
giudecca_gardens-redentore ca_foscari-embassy santo_stefano-accademia santo_stefano-giglio santo_stefano-sant_angelo
redentore-zitelle spirito_santo-dogana accademia-dogana giglio-molo sant_angelo-san_marco san_silvestro-rialto_market
san_silvestro-embassy rialto_market-rialto giardini-sette_martiri molo-san_marco riva_degli_schiavoni-san_marco
pieta-arsenal_gate pieta-san_lorenzo via_garibaldi-sette_martiri via_garibaldi-san_martino sette_martiri-sant_elena
arsenal_gate-san_martino santa_maria_formosa-san_marco santa_maria_formosa-san_zanipolo
santa_maria_formosa-san_lorenzo san_marco-rialto rialto-san_zanipolo celestia-san_lorenzo san_martino-sant_elena
san_martino-san_pietro
"""
WATER_ROUTES = """
murano-misericordia murano-fondamente_nove misericordia-sant_alvise sant_alvise-tre_archi sant_alvise-piazzale_roma
san_marcuola-san_stae san_marcuola-scalzi san_stae-ca_d_oro fondamente_nove-old_arsenal ca_d_oro-rialto
scalzi-piazzale_roma tronchetto-piazzale_roma tronchetto-sacca_fisola san_basilio-sacca_fisola san_basilio-zattere
sant_eufemia-zattere sant_eufemia-redentore ca_foscari-giglio ca_foscari-rialto redentore-zitelle giglio-dogana
dogana-molo zitelle-san_giorgio zitelle-giardini san_giorgio-molo giardini-riva_degli_schiavoni giardini-via_garibaldi
molo-riva_degli_schiavoni riva_degli_schiavoni-pieta via_garibaldi-arsenal_gate arsenal_gate-celestia
celestia-old_arsenal old_arsenal-san_pietro
"""

EMBASSY = "embassy"
NUMBERED = {
    1: "old_arsenal",
    2: "gesuiti",
    3: "scalzi",
    4: "san_basilio",
    5: "san_giorgio",
    6: "sette_martiri",
    7: "giglio",
    8: "giudecca_gardens",
}
START = {  # the spaces of each colour
    "red": ("misericordia", "san_trovaso", "redentore", "celestia"),
    "blue": ("ca_d_oro", "san_nicolo", "dogana", "giardini"),
    "green": ("san_giacomo_dell_orio", "sacca_fisola", "sant_angelo", "san_martino"),
    "yellow": ("tre_archi", "fondamente_nove", "tolentini", "pieta"),
}


def _neighbours(routes: str) -> dict[str, set[str]]:
    near: dict[str, set[str]] = {}
    for route in routes.split():
        one, other = route.split("-")
        near.setdefault(one, set()).add(other)
        near.setdefault(other, set()).add(one)
    return near


LAND, WATER = _neighbours(LAND_ROUTES), _neighbours(WATER_ROUTES)
SPACES = frozenset(LAND) | frozenset(WATER)
COLOURED = frozenset(space for spaces in START.values() for space in spaces)


def by_land(space: str) -> set[str]:
    return LAND.get(space, set())


def by_water(space: str) -> set[str]:
    return WATER.get(space, set())


def by_either(space: str) -> set[str]:
    return by_land(space) | by_water(space)
