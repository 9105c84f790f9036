def check_flow(rules):
    pass
