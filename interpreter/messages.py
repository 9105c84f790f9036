"""What can be wrong, in words: code -> (message, remedy). Whole sentences; catalogues translate them."""


def N_(text: str) -> str:
    """Mark a text for extraction; it is translated where it is shown."""
    return text


MESSAGES: dict[str, tuple[str, str]] = {
    # load: the file
    "file_missing": (N_("There is no file “{file}”."), N_("Check the spelling and the folder.")),
    "file_is_folder": (N_("“{file}” is a folder, not a file."), N_("Name one of the files in it.")),
    "file_forbidden": (
        N_("You are not allowed to read the file “{file}”."),
        N_("Change its permissions, or ask its owner."),
    ),
    "file_unreadable": (N_("The file “{file}” cannot be read."), ""),
    "file_special": (
        N_("“{file}” is not an ordinary file: perhaps a pipe or a device."),
        N_("Name an ordinary file."),
    ),
    "file_circle": (N_("The links that lead to “{file}” lead in a circle."), N_("Name the file itself.")),
    "file_unwritable": (
        N_("The file “{file}” cannot be written: {reason}."),
        N_("Check whether the folder exists, may be written to and has room."),
    ),
    "file_foreign": (
        N_("The file “{file}” is there already, and Tabarro did not write it."),
        N_("Give another name, or replace it with --force."),
    ),
    "folder_too_big": (
        N_("In the folder “{folder}” there are more than {limit} files and folders."),
        N_("Keep house rules in a folder of their own."),
    ),
    "file_too_big": (N_("This file is larger than {limit} bytes."), N_("Divide it into several files.")),
    "file_not_utf8": (
        N_("This file is not UTF-8 text: the byte {byte} has no meaning here."),
        N_("Save the file in the encoding UTF-8."),
    ),
    "file_empty": (
        N_("This file says nothing."),
        N_("Write at least one key with its value, such as “name: My game”."),
    ),
    "catalogue_charset": (
        N_("This catalogue is written in “{name}”, an encoding that nobody knows."),
        N_("Write charset=UTF-8 in its header, and save it in UTF-8. Until then it is not used."),
    ),
    "catalogue_syntax": (
        N_("This catalogue cannot be understood from here on."),
        N_("Look for a missing quote or a misspelt msgid or msgstr. Until then it is not used."),
    ),
    "catalogue_broken": (
        N_("This catalogue cannot be used: its encoding or its header is wrong."),
        N_("Save it in UTF-8 and compare its header with one that “tabarro texts” writes. Until then it is not used."),
    ),
    # load: the YAML
    "character_forbidden": (N_("The invisible character {character} cannot stand in a rule file."), N_("Delete it.")),
    "directive": (N_("A line cannot begin with “%”."), N_("Delete the line, or put the text in quotes.")),
    "second_document": (
        N_("A second document begins here."),
        N_("A file holds one document: delete this line, or move what follows to a file of its own."),
    ),
    "tab_indent": (
        N_("A tab stands here as indentation."),
        N_("Indent with spaces; most editors can replace tabs by spaces."),
    ),
    "quote_open": (
        N_("The text that begins with this quote has no closing quote."),
        N_("Write {quote} where the text ends."),
    ),
    "bracket_open": (
        N_("The bracket “{open}” that opens here is not closed."),
        N_("Write “{close}” where it ends; if it is there, look for a missing comma on line {line} or above."),
    ),
    "comma_missing": (
        N_("A comma or “{close}” is expected here."),
        N_("Separate the entries by commas; a text with commas, colons or brackets in it needs quotes."),
    ),
    "value_missing": (
        N_("An entry is missing before “{character}”."),
        N_("Write the entry, or delete the extra comma."),
    ),
    "colon_in_text": (
        N_("A second colon followed by a space stands on this line."),
        N_("If it belongs to the text, put the whole text in quotes; if it follows a key, begin a new line."),
    ),
    "colon_missing": (
        N_("A colon is missing after this key."),
        N_("Write the key, a colon, a space and the value; the lines of a longer text are indented."),
    ),
    "key_misplaced": (
        N_("A key cannot stand here: the line above it already has a value."),
        N_("Begin the key in the same column as the other keys of its group."),
    ),
    "indentation": (
        N_("The indentation of this line does not fit the lines above."),
        N_("Keys of one group begin in the same column, and so do the dashes of one list."),
    ),
    "after_quote": (
        N_("Nothing more can stand here after the closing quote."),
        N_("Check the quotes here and above: put the whole text in quotes, and write a quote inside it twice ('')."),
    ),
    "after_bracket": (
        N_("Nothing more can stand here after the closing bracket."),
        N_("If the brackets belong to the text, put the whole text in quotes."),
    ),
    "dash_misplaced": (
        N_("A list cannot begin here."),
        N_("Begin the first dash on a line of its own; if the dash belongs to the text, put the text in quotes."),
    ),
    "bad_start": (N_("A text cannot begin with “{character}”."), N_("Put the whole text in quotes.")),
    "bad_escape": (
        N_("This backslash is followed by something that has no meaning."),
        N_("Write two backslashes for one, or use single quotes, in which a backslash is a plain character."),
    ),
    "block_header": (
        N_("The text must begin on the line after “{character}”."),
        N_("Move it to the next line, indented; or put the whole text in quotes."),
    ),
    "yaml": (
        N_("This cannot be read as YAML."),
        N_("Check the quotes, brackets, colons and the indentation here and on the line above."),
    ),
    # load: what the language takes from YAML
    "root_not_map": (
        N_("A rule file consists of keys with values, and this is something else."),
        N_("Begin with a key, a colon and a space, such as “name: My game”."),
    ),
    "key_twice": (N_("The key “{key}” stands here twice."), N_("Keep one of the two; the first is on line {line}.")),
    "key_needs_quotes": (N_("“{key}” would not be read as a word here."), N_("Write it in quotes to use it as a key.")),
    "key_empty": (
        N_("A key is missing before this colon."),
        N_("Write the key; if the colon belongs to a text, put the text in quotes."),
    ),
    "key_not_text": (
        N_("A key must be a word or a text."),
        N_("If the brackets or signs belong to the text, put it in quotes."),
    ),
    "merge_key": (
        N_("The merge key “<<” is not part of the language."),
        N_("Write the entries out; to build on another game use “extends”."),
    ),
    "tag": (
        N_("Tags such as “{tag}” are not part of the language."),
        N_("Delete the tag; if “!” belongs to the text, put the whole text in quotes."),
    ),
    "anchor_name": (
        N_("A name is expected directly after “{character}”."),
        N_("If “{character}” belongs to the text, put the whole text in quotes."),
    ),
    "anchor_twice": (N_("The anchor “&{name}” stands here twice."), N_("Give each anchor a name of its own.")),
    "alias_unknown": (
        N_("“*{name}” refers to an anchor that does not stand above."),
        N_("Write “&{name}” before the value that is meant; if “*” belongs to the text, put the text in quotes."),
    ),
    "alias_unknown_guess": (
        N_("“*{name}” refers to an anchor that does not stand above."),
        N_("Did you mean “*{guess}”?"),
    ),
    "alias_cycle": (
        N_("“*{name}” stands inside the very thing it refers to."),
        N_("A thing cannot contain itself: write out what is meant."),
    ),
    "too_many_nodes": (
        N_("With all its aliases written out, this file has more than {limit} entries."),
        N_("Use fewer aliases, or divide the file."),
    ),
    "too_deep": (
        N_("Here more than {limit} levels are nested in each other."),
        N_("Give the inner parts names of their own and refer to them."),
    ),
    "text_too_long": (
        N_("This text is longer than {limit} characters."),
        N_("Divide it; if it was not meant to be so long, look for a missing quote."),
    ),
    "text_control": (
        N_("This text contains the control character {character}."),
        N_("Only line breaks (\\n) and tabs (\\t) can be used."),
    ),
    "number_too_long": (
        N_("The number {number} has too many digits."),
        N_("Use at most {limit} digits on either side of the point; if it is a text, put it in quotes."),
    ),
    # schema: the pieces of a file
    "unknown_key": (N_("There is no key “{key}” here."), N_("These are possible: {allowed}.")),
    "wrong_type": (
        N_("This is of the wrong kind. Found: {found}; needed: {wanted}."),
        N_("Change the value, or check whether the indentation is right."),
    ),
    "word_not_truth": (
        N_("“{word}” is a word like any other here; true or false is needed."),
        N_("Write “{instead}”."),
    ),
    "wrong_value": (N_("“{value}” is not possible here."), N_("These are possible: {allowed}.")),
    "list_not_map": (
        N_("A list stands here, and names with their values are needed."),
        N_("Write each of them without the dash: “name: value”."),
    ),
    "value_commented": (
        N_("What follows “#” is a comment, so that no value stands here."),
        N_("If it is the value, write it in quotes: {whole}."),
    ),
    "colon_space": (N_("In “{value}” a space is missing after the colon."), N_("Write “{right}”.")),
    "path_beside": (
        N_("“{name}” is a path, and no section of a file."),
        N_("Paths stand under “change”, “remove” or “add”: write “change” with this line below it, indented."),
    ),
    "wrong_form": (N_("“{value}” does not have the right form."), N_("What is needed: {wanted}.")),
    "too_few": (N_("Something is missing here."), N_("Write at least one entry.")),
    "key_missing": (N_("The key “{key}” is missing here."), N_("Add it with its value.")),
    "no_verb": (N_("The step “{name}” does not say what is done."), N_("A step has one of these keys: {verbs}.")),
    "two_verbs": (
        N_("The step “{name}” says two things at once: “{one}” and “{other}”."),
        N_("Make two steps of it; in a variant, use “replace” to change a step as a whole."),
    ),
    # retelling: files in other languages
    "language_unknown": (
        N_("Rule files cannot be written in the language “{name}” here."),
        N_("These can be chosen: {languages}."),
    ),
    "expression_two_ways": (
        N_("This can be read in two ways."),
        N_("Put a part of it in brackets, {brackets}."),
    ),
    "translation_differs": (
        N_("In the other language this file would not be the same."),
        N_("Write its expressions more simply, each on one line; until then it stays as it is."),
    ),
    "translation_key": (
        N_("“{key}” cannot be said in the other language."),
        N_("Give a part of it a name under “words”."),
    ),
    # resolve: extends, patches, players, options
    "unknown_game": (
        N_("There is no rule file called “{name}”."),
        N_("“tabarro list” shows the games that there are."),
    ),
    "pack_broken": (
        N_("This is no pack of a house rule, or it is damaged."),
        N_("Ask whoever made it for another one; “tabarro pack” makes packs."),
    ),
    "pack_part": (
        N_("A file in this pack has a name that no file can have: “{name}”."),
        N_("“tabarro pack” makes no such pack: do not use it, and ask where it comes from."),
    ),
    "pack_ours": (
        N_("A file in this pack has the name of a game that comes with the program: “{name}”."),
        N_("Whoever made it has to give that file another name."),
    ),
    "pack_large": (
        N_("This is too large for a pack: it may have {files} files and {bytes} bytes."),
        N_("Leave out what the game does not need."),
    ),
    "pack_twice": (
        N_("Two different files that are needed here are both called “{name}”."),
        N_("Give one of them another name."),
    ),
    "name_of_ours": (
        N_("“{name}” is the name of a rule file that comes with the program."),
        N_("Give this file another name; “extends: {name}” can stay as it is."),
    ),
    "path_outside": (
        N_("“{name}” leads out of the rules folder."),
        N_("Name a file by its name alone, or by folder and name with “/” between them."),
    ),
    "extends_in_circle": (
        N_("These files extend each other in a circle: {names}."),
        N_("Take out one of the “extends”."),
    ),
    "extends_too_deep": (
        N_("More than {limit} files extend one another here."),
        N_("Extend a file nearer to the beginning."),
    ),
    "extends_too_large": (
        N_("This file and those that it extends have more than {limit} characters together."),
        N_("Extend fewer files."),
    ),
    "extends_twice": (N_("The file “{name}” is extended twice here."), N_("Name it once.")),
    "quarrel": (
        N_("“{one}” and “{other}” say different things about “{part}”: see {one_at} and {other_at}."),
        N_("Say in this file what holds: write this part here as it is to be."),
    ),
    "through_change": (
        N_("With this change something else is wrong ({where}): {message}"),
        N_("Take it back, or change “{part}” as well."),
    ),
    "near_name": (
        N_("There is no “{name}” here to change, but there is “{near}”."),
        N_("Write “{near}”; if it is to be something new, put it under “add” at the end of the file."),
    ),
    "add_exists": (
        N_("“{name}” is not new: it is there already."),
        N_("Write it without “add” to change it, or choose another name."),
    ),
    "add_where": (
        N_("“{name}” is neither a section of a file nor a path that says where something new belongs."),
        N_("Write the section around it, such as “rules”, or a path such as “turn of player/{name}”."),
    ),
    "path_unknown": (
        N_("Nothing that is extended here is called “{name}”."),
        N_("“tabarro show” with the name of the game that is extended lists what there is."),
    ),
    "path_unclear": (
        N_("“{name}” can mean several things here: {several}."),
        N_("Write the longer name of the one that is meant."),
    ),
    "patch_target": (
        N_("There is no step “{name}” here to change."),
        N_(
            "A new step stands under “add”, and has a verb such as “ask” or “set”; “before” and “after” name a step "
            "of the same rule."
        ),
    ),
    "patch_here": (
        N_("“{key}” changes what stands in a game that is extended; no game is extended here."),
        N_("Write it where it belongs, without “{key}”."),
    ),
    "only_a_part": (
        N_("“{name}” is no game by itself: it holds what several games share."),
        N_("Choose a game that is made of it: {games}."),
    ),
    "no_players": (
        N_("The file does not say for how many players the game is."),
        N_("Write for instance “players: {{2: {{}}}}”."),
    ),
    "players_and_seats": (
        N_("For {players} players, {seats} sit at the table who decide for themselves."),
        N_(
            "Let that many sit there (“seats”, and the things that it names), or say under “played by chance” for whom "
            "chance decides; each number of players can have its own."
        ),
    ),
    "players_unknown": (N_("The game cannot be played by {players}."), N_("These are possible: {counts}.")),
    "unknown_option": (N_("There is no option “{name}”."), N_("These are possible: {options}.")),
    "option_unknown_here": (
        N_("The option “{name}” is not declared completely."),
        N_("An option needs “is” and “default”; a plain value sets an option of the game that is extended."),
    ),
    "option_value": (N_("The option “{name}” cannot be “{value}”."), N_("These are possible: {allowed}.")),
    "option_range": (
        N_("No number lies between {least} and {most}."),
        N_("“from” is the smallest number allowed, “to” the largest."),
    ),
    "options_wanted": (N_("Options and their values are needed here."), N_("Write for instance “{{open: true}}”.")),
    "options_exclude": (
        N_("The options do not go together: “{name}” is {value}, and then “{other}” must not be {needed}."),
        N_("Change one of the two."),
    ),
    "options_require": (
        N_("The options do not go together: “{name}” is {value}, and then “{other}” must be {needed}."),
        N_("Change one of the two."),
    ),
    "too_large": (N_("The game is too large."), N_("Make it smaller.")),
    # parse: the text of an expression
    "expression_too_long": (
        N_("This expression is longer than {limit} characters."),
        N_("Give a part of it a name under “words”."),
    ),
    "expression_too_deep": (
        N_("This expression is nested more than {limit} deep."),
        N_("Give a part of it a name under “words”."),
    ),
    "expression_too_large": (
        N_("With all its words written out, this has more than {limit} parts."),
        N_("Let the words that it uses say less, or use fewer of them."),
    ),
    "too_many_cases": (
        N_("To find out whether this holds, more than {limit} cases would have to be looked at."),
        N_("Use fewer “any” and “every” inside each other, or smaller sets."),
    ),
    "too_nested": (
        N_("“{name}” is made of others that are made of others, more than {limit} deep."),
        N_("Let it be made of fewer."),
    ),
    "expression_ends_early": (N_("The expression stops too early."), N_("What may follow here: {expected}.")),
    "bracket_not_closed": (N_("This bracket is not closed."), N_("Write “)” where the part ends.")),
    "bracket_not_opened": (N_("This bracket closes nothing."), N_("Delete it, or write “(” where the part begins.")),
    "sign_not_word": (N_("The language has no sign “{sign}”."), N_("Write “{word}”.")),
    "keyword_here": (
        N_("The word “{word}” cannot stand here."),
        N_("What may follow here: {expected}. A word of the language cannot be a name."),
    ),
    "sentence_unread": (N_("The sentence cannot be understood from here on."), N_("What may follow here: {expected}.")),
    "sentence_makes_no_sense": (
        N_("This is a sentence, but no condition of this game."),
        N_("Say of things only what the rules can say of them."),
    ),
    "sentence_two_ways": (
        N_("This can mean two things."),
        N_("Either: {one} Or: {other} Write the one that is meant."),
    ),
    "sentence_unsaid": (
        N_("This condition cannot be said in the language “{language}”: its grammar has no “{row}” for “{operation}”."),
        N_("Add the row to locales/{language}/grammar.yaml; “tabarro texts … --check” lists all that are missing."),
    ),
    "sentence_too_hard": (
        N_("This sentence is too long or too involved."),
        N_("Say it in shorter sentences, or with fewer things in one."),
    ),
    "unexpected_word": (N_("“{word}” cannot be understood here."), N_("What may follow here: {expected}.")),
    # check: names
    "unknown_name": (
        N_("Nothing is called “{name}”."),
        N_("Names come from things, state, words, options and the steps before."),
    ),
    "unknown_noun": (N_("There is no set of things called “{name}”."), N_("Sets are declared under “things”.")),
    "unknown_function": (
        N_("There is nothing of the form “{name}”."),
        N_("Such forms come from columns, tables, links, state and words."),
    ),
    "unknown_adjective": (
        N_("It is not said what a “{name} {noun}” is."),
        N_("Say it under “words”, as “{noun} is {name}: …”; or write “any {noun} such that …”."),
    ),
    "say_every": (N_("“both” is no word of the language."), N_("Write “every” with the word for one of them.")),
    "unknown_number": (
        N_("There is no {noun} with the number {number}."),
        N_("Look at the column named by “numbered by”."),
    ),
    "steps_too_far": (
        N_("These are too many steps to count: at most {limit} are possible."),
        N_("Write fewer of them, or “within any number of steps of …”."),
    ),
    "head_taken": (
        N_("“{name} of …” belongs to the language itself: nothing else can be called that."),
        N_("Choose another name, such as “my_{name} of …”."),
    ),
    "needs_brackets": (
        N_("“{name} of …” must stand in brackets here."),
        N_("Write “(” before it and “)” where it ends."),
    ),
    "no_such_argument": (N_("“{name}” does not take {found}."), N_("It takes: {wanted}.")),
    "ambiguous_name": (
        N_("“{name}” may be several things: {sets}."),
        N_("Say it in a comparison, or give one of them another name."),
    ),
    "noun_not_value": (
        N_("“{name}” is the word for a kind of thing, not for one of them."),
        N_("Say “{plural}” for all, or “any {name}”, “every {name}”."),
    ),
    "noun_not_called": (
        N_("“{name}” is the word for a kind of thing, not for one of them."),
        N_("Give each of them a name: “{plural} called one such that …”, and say “one” there."),
    ),
    "keyword_name": (N_("“{name}” is a word of the language and cannot be a name."), N_("Choose another name.")),
    "shadowed_name": (
        N_("“{name}” already means something here."),
        N_("Choose another name: in an expression, “any {name} called other”."),
    ),
    "it_without_where": (
        N_("“it” means nothing here."),
        N_("“it” and “its” stand after “where”, for each element of the set."),
    ),
    "nested_it": (
        N_("One “where” stands inside another, so that “it” could mean either."),
        N_("Give the inner part a name under “words”."),
    ),
    # check: types
    "type_mismatch": (
        N_("This is of type “{found}”, but “{wanted}” is needed."),
        N_("Write something here that is of type “{wanted}”, or check what the names stand for."),
    ),
    "type_wanted": (
        N_("The name of a type is needed here."),
        N_("For instance: number, yes or no, set of card, player or nothing."),
    ),
    "expression_wanted": (N_("An expression is needed here."), N_("Write a text, a number, or true or false.")),
    "condition_again": (
        N_("A condition is needed on both sides; this is of type “{found}”."),
        N_("Say the whole claim again: “{again}”."),
    ),
    "condition_wanted": (
        N_("A condition is needed here; this is of type “{found}”."),
        N_("A condition holds or does not: say something of it with “is”."),
    ),
    "set_wanted": (
        N_("A set is needed here; this is of type “{found}”."),
        N_("The plural of a kind of thing is the set of all of them."),
    ),
    "number_wanted": (
        N_("A number is needed here; this is of type “{found}”."),
        N_("“count of” tells how many elements a set has."),
    ),
    "numbers_wanted": (
        N_("Numbers are needed here; this is of type “{found}”."),
        N_("Say which number of each is meant, such as “sum of worth of cards”."),
    ),
    "too_many_numbers": (N_("There are more than {limit} numbers here."), N_("Choose from fewer of them.")),
    "nothing_here": (N_("“nothing” cannot stand here."), N_("A value of type “{wanted}” is needed.")),
    "never_same": (
        N_("“{one}” and “{other}” are two, and never the same."),
        N_("Compare one of them with what can be the one or the other: with state, or with a word for it."),
    ),
    "never_equal": (
        N_("These two can never be the same: “{one}” and “{other}”."),
        N_("Compare two of the same kind: “{one}” with “{one}”."),
    ),
    "never_in": (N_("“{one}” can never be in “{other}”."), N_("Compare what the names here stand for.")),
    "other_noun_in": (
        N_("“{name}” is not the word for all that is in there: that is “{found}”."),
        N_("Say it with the word for what is in there; what is true of some of them is said with “such that”."),
    ),
    "branches_differ": (N_("These do not go together: “{one}” and “{other}”."), N_("Both sides must be of one type.")),
    # vocabulary: things, tables, state, words
    "name_taken": (
        N_("The name “{name}” is taken."),
        N_("Choose another name; “plural” gives a set another word for several."),
    ),
    "things_in_circle": (N_("The set “{name}” is made of itself."), N_("Take it out of its own “each” or “any of”.")),
    "member_twice": (N_("“{member}” stands twice in the set “{name}”."), N_("Delete one of the two.")),
    "too_many_things": (N_("There are more than {limit} things."), N_("Make the sets smaller.")),
    "too_many_slots": (N_("The state has more than {limit} values."), N_("Make the sets smaller.")),
    "parameter_twice": (
        N_("The name “{name}” stands twice in this head."),
        N_("Give one of them another name: “{name} called other”."),
    ),
    "declared_twice": (
        N_("“{name}” is declared twice for the same things."),
        N_("Delete one of the two, or choose another name."),
    ),
    "unknown_column": (N_("“{name}” is not a column of “{set}”."), N_("Columns are declared under “columns”.")),
    "cell_missing": (
        N_("The value of “{name}” is missing here."),
        N_("Add it, or let the type end with “or nothing”."),
    ),
    "must_be_fixed": (N_("Only a fixed value can stand here."), N_("Write names, numbers, or sets of them.")),
    "unknown_row": (N_("“{name}” is not one of “{set}”."), N_("The keys of a table are the names of things.")),
    "row_depth": (N_("This cell does not have as many keys as the others."), N_("Nest all rows equally deep.")),
    "row_twice": (N_("This cell stands here twice."), N_("Delete one of the two.")),
    "link_head": (
        N_("This is not a head for links."),
        N_("Write for instance “neighbours of space” or “neighbours of space along way”."),
    ),
    "link_pair": (N_("A pair of neighbours is needed here."), N_("Write for instance “[a, b]”.")),
    "grid_size": (
        N_("A grid has two numbers: that of its columns and that of its rows."),
        N_("Write for instance “{{column: 7, row: 6}}”."),
    ),
    "grid_wanted": (
        N_("Only a grid can have neighbours by steps; “{set}” is not a grid."),
        N_("Give it a “grid”, or write the pairs of neighbours."),
    ),
    "unknown_link": (
        N_("“{one}” and “{other}” are not neighbours here, so they cannot be separated."),
        N_("“remove” names pairs that stand in the game that is extended."),
    ),
    "state_of_things": (
        N_("State can be kept only for things; “{name}” is not one."),
        N_("Use a set of things, or a table."),
    ),
    "word_in_circle": (N_("The word “{name}” is explained by itself."), N_("Explain it by other words.")),
    "no_seats": (N_("The game does not say who sits at the table."), N_("Write for instance “seats: players”.")),
    "seat_twice": (N_("“{name}” sits at the table twice."), N_("Name each seat once.")),
    "not_seated": (
        N_("“{name}” does not sit at the table."),
        N_("Only somebody named under “seats” can be played by chance."),
    ),
    "number_of_two": (
        N_("Two of “{set}” have the number {number}: {members}."),
        N_("Give each a number of its own; those that have none are left out of the column."),
    ),
    "too_small": (
        N_("{number} is too small a number here."),
        N_("It must be at least {least}."),
    ),
    # steps: the rules
    "unknown_rule": (
        N_("There is no rule “{name}”."),
        N_("Rules are declared under “rules”, by a head such as “turn of player”."),
    ),
    "rule_in_circle": (
        N_("The rule “{name}” calls itself, directly or by way of others."),
        N_("Use “repeat” with “until”."),
    ),
    "rule_returns_nothing": (
        N_("The rule “{name}” returns nothing that could be named."),
        N_("Add a step with “return”, or delete “as”."),
    ),
    "too_many_rounds": (
        N_("These loops, one inside the other, may go round more than {limit} times."),
        N_("Use smaller sets, or fewer loops inside each other."),
    ),
    "too_many_combinations": (
        N_("What is chosen here can be combined in more than {limit} ways."),
        N_("Make several steps of it, or choose from smaller sets."),
    ),
    "too_many_parts": (
        N_("Too many things are chosen at once: more than {limit}."),
        N_("Make several steps of it, or use “some of”."),
    ),
    "too_many_steps": (N_("The rules have more than {limit} steps."), N_("Put what recurs into a rule of its own.")),
    "repeat_idle": (
        N_("This would go on for ever: nothing in it is asked, drawn, dealt or ended."),
        N_("Use “for each”, or put a decision or an end into it."),
    ),
    "ask_for_nothing": (
        N_("It is not said what is asked."),
        N_("Say what is chosen with “for”, or name alternatives with “between”."),
    ),
    "may_be_empty": (
        N_("There may be too little here to choose or draw from, and it is not said what happens then."),
        N_("Add “if none” with the steps for that case, or “if none: never” if it cannot happen."),
    ),
    "match_of_fixed_sets": (
        N_("An assignment needs sets that never change."),
        N_("Use the plural of a kind of thing."),
    ),
    "match_too_large": (
        N_("This assignment is too large, or there is too little to give out."),
        N_("Assign to at most seven things, and to no more than there are to give out."),
    ),
    "not_in_plan": (
        N_("“{verb}” cannot stand in a plan."),
        N_("A plan is a row of one player's choices, without chance and without an end."),
    ),
    "deal_target": (
        N_("There is no state “{name} of …” that can keep {found} for {owner}."),
        N_("Declare it under “state”."),
    ),
    "pile_wanted": (
        N_("What is drawn from a pile is taken out of it, so this must be a pile of the state."),
        N_("Write what is declared under “state”, such as “deck”, or “deck where …”."),
    ),
    "row_wanted": (
        N_("A pile or a list is needed here; this is of type “{found}”."),
        N_("Declare it under “state” as “pile of …” or “list of …”."),
    ),
    "list_wanted": (
        N_("Only a list has an order; this is of type “{found}”."),
        N_("A pile needs no shuffling: what is drawn from it is drawn by chance. Or declare a “list of …”."),
    ),
    "not_together": (
        N_("“{one}” and “{other}” cannot stand together in one step."),
        N_("Keep one of them."),
    ),
    "no_such_aspect": (
        N_("“{key}” says nothing here: this is of type “{found}”."),
        N_("Sets, piles and lists have a count and contents; only a list has a top."),
    ),
    "too_many_audiences": (
        N_("More than {limit} parts of one choice have an audience of their own."),
        N_("Make several steps of it, or let more of them be seen by the same players."),
    ),
    "pass_free": (
        N_("What lets a question go by must always be possible."),
        N_("Take away “if”, “for” and “where” from what passes."),
    ),
    "pass_twice": (
        N_("Two alternatives let this question go by."),
        N_("Write “pass: true” at one of them only."),
    ),
    "at_once_key": (
        N_("“{key}” cannot stand where several are asked at the same time."),
        N_("They choose one thing each with “for”; “seen by” of the state that “as” names says who sees it then."),
    ),
    "at_once_parts": (
        N_("Where several are asked at the same time, each chooses one thing, and a state keeps it."),
        N_("Write one entry under “for”, and “as: vote” for a state “vote of player”."),
    ),
    "not_state": (N_("“{name}” cannot be set."), N_("Only what is declared under “state” changes.")),
    "unknown_placeholder": (
        N_("The text mentions “{name}”, which means nothing here."),
        N_("A text can mention what this step names, what earlier steps have named, and what “with” adds."),
    ),
    "catalogue_name": (
        N_("The translation mentions “{name}”, which the text itself does not."),
        N_("Keep what stands in braces as it is in the text: {names}."),
    ),
    "bad_braces": (
        N_("The braces in this text do not match."),
        N_("Write a name in braces, or {{{{ for a brace itself."),
    ),
    "bad_placeholder": (
        N_("“{name}” cannot stand in braces."),
        N_("Only a name can stand there. Give the value one under “with”."),
    ),
    # flow: who may know what
    "tells_chooser": (
        N_("What is offered here depends on “{secret}”, which {who} may not know."),
        N_("Offer what {who} knows, or reveal it first with “show”."),
    ),
    "tells_asked": (
        N_("Who is asked here, or whether, depends on “{secret}” because of “{by}”, and {who} would notice."),
        N_("Ask in every case, see that the same player is asked next in any case, or reveal it first with “show”."),
    ),
    "tells_by_happening": (
        N_("Whether this happens depends on “{secret}” because of “{by}”, and {who} would notice."),
        N_("Let it happen in every case, let only those see it who may know, or reveal it first with “show”."),
    ),
    "tells_by_setting": (
        N_("{who} would see this value, which depends on “{secret}”."),
        N_("Reveal it first with “show”, or let “seen by” of the state be narrower."),
    ),
    "tells_by_moving": (
        N_("{who} would see what lies there then, and that depends on “{secret}”."),
        N_("Show it first with “show” and move what was shown; or let {who} see how it is chosen or drawn."),
    ),
    "tells_by_drawing": (
        N_("{who} would see what is drawn here, and what there is to draw depends on “{secret}”."),
        N_("Draw from what {who} knows, or from all that is left of the cards; or reveal it with “show”."),
    ),
    "tells_to_whom": (
        N_("Whether {who} sees this depends on “{secret}”, which {who} may not know."),
        N_("Let the same players see it in every case, or use “show”, which may reveal."),
    ),
    "tells_in_text": (
        N_("The text would tell {who} something of “{secret}”."),
        N_("Use “show” to reveal it, or tell it to fewer."),
    ),
    # what the flow check takes for granted
    "assumed_never": (
        N_("Taken for granted: at “{step}” there is always enough to choose or to draw, whatever “{secret}” is."),
        N_("Say with “if none” what happens otherwise; then nothing has to be taken for granted."),
    ),
    "assumed_there": (
        N_("Taken for granted: what “{step}” moves lies where it is taken from, whatever “{secret}” is."),
        N_("Move what was just chosen or drawn from there, or ask first with “if” whether it is there."),
    ),
    "assumed_unset": (
        N_("Taken for granted: no value that “{step}” needs is nothing, whatever “{secret}” is."),
        N_("Ask first whether it is nothing; then nothing has to be taken for granted."),
    ),
    "assumed_bounds": (
        N_("Taken for granted: no number leaves its bounds at “{step}”, whatever “{secret}” is."),
        N_("Compare it with the bound first; then nothing has to be taken for granted."),
    ),
    "assumed_ends": (
        N_("Taken for granted: “{step}” comes to an end, whatever “{secret}” is."),
        N_("Use “for each”, or end it by what all may know; then nothing has to be taken for granted."),
    ),
    "assumed_plan": (
        N_("Taken for granted: the plan “{step}” can always be made, whatever “{secret}” is."),
        N_("Let the plan depend on what all may know; then nothing has to be taken for granted."),
    ),
    # state: what only shows in play
    "budget": (
        N_("The rules go on for more than {limit} steps without a decision."),
        N_("Look for a “repeat” whose decisions are all skipped."),
    ),
    "nothing_in_play": (
        N_("In the step “{name}” there was nothing where a value is needed."),
        N_("Look for something that is used before it is set, or for “the only …” where there is none."),
    ),
    "number_in_play": (
        N_("In the step “{name}” a number became too large."),
        N_("Look for “times” in something that is repeated, and for “to” with numbers far apart."),
    ),
    "row_in_play": (
        N_("In the step “{name}” a list, a pile or a set got more than {limit} elements."),
        N_("Look in what is repeated for something that is dealt or added each time and never taken away."),
    ),
    "too_many_choices": (
        N_("In the step “{name}” there are too many ways to choose."),
        N_("Say with “how many” that fewer are chosen, or make several steps of it."),
    ),
    "not_there": (
        N_("In the step “{name}” something is moved that is not there."),
        N_("Move only what is in the pile that “from” names."),
    ),
    "plan_too_wide": (N_("The plan goes on in more than {limit} ways."), N_("Let fewer choices be made in it.")),
    "nothing_legal": (
        N_("In the step “{name}” there is nothing to choose, although it says that this never happens."),
        N_("Say with “if none” what happens then."),
    ),
    # lessons: what is expected at each step
    "lesson_choice": (
        N_("Nothing that can be chosen at this step has all of these words: {words}."),
        N_("These can be chosen here: {choices}."),
    ),
    "lesson_over": (N_("The game is over before this step."), N_("Take the step out, or try another seed.")),
    "lesson_before": (
        N_("Not all of this is ever said: there are fewer moments before this decision at which one may only go on."),
        N_("Take out what has no moment, or say it with “say”."),
    ),
    # scenarios: what is done in them, and what must follow
    "scenario_keys": (
        N_("An entry of “play” has one key: a seat, “chance” or “now”."),
        N_("Begin a new entry with a dash."),
    ),
    "scenario_seat": (N_("Nobody at the table is called “{name}”."), N_("The seats are: {seats}.")),
    "scenario_turn": (
        N_("{name} is not asked anything here: it is for {actor} to decide."),
        N_("Add what {actor} does first."),
    ),
    "scenario_over": (N_("The game is already over here."), N_("Delete this entry, or change what comes before.")),
    "scenario_word": (N_("“{word}” is not among the choices here."), N_("These are possible: {allowed}.")),
    "scenario_part": (
        N_("This choice is not complete: it does not say “{part}”."),
        N_("These are possible: {allowed}."),
    ),
    "scenario_not_offered": (N_("The rules do not offer this choice here."), N_("These are offered: {offered}.")),
    "scenario_offered": (N_("The rules offer this choice here, and it should be refused."), ""),
    "scenario_no_chance": (
        N_("Chance decides nothing here: it is for {actor} to decide."),
        N_("Delete this entry, or put it where chance decides."),
    ),
    "scenario_chance": (N_("Chance cannot produce “{value}” here."), N_("These are possible: {allowed}.")),
    "scenario_chance_count": (N_("Chance decides {wanted} things here, not {found}."), N_("Name each of them.")),
    "scenario_position": (
        N_("“{name}” cannot be set in a position."),
        N_("Name a state, such as “place of” a thing, or what chance decides before the first choice."),
    ),
    "scenario_dealt": (
        N_("Chance cannot deal it like this."),
        N_("Check whether something is given out twice, or is not among what is dealt."),
    ),
    "scenario_fails": (N_("This does not hold here."), ""),
    "scenario_holds": (N_("This holds here, and it should not."), ""),
    "scenario_count": (N_("The number of such choices here is {found}, not {wanted}."), ""),
    "scenario_asked": (N_("It is for {actor} to decide here."), ""),
    "scenario_step": (N_("Here the step “{found}” asks."), ""),
    "scenario_not_over": (N_("The game is not over here."), ""),
    "scenario_winners": (N_("The game is won by {found}."), ""),
    "scenario_line": (
        N_("There is no step “{name}” that a log could tell of."),
        N_("Name a step or an alternative of the rules, or a state."),
    ),
    "scenario_not_seen": (N_("{seat} has not seen this."), N_("Of this step {seat} has seen: {seen}.")),
    "scenario_seen": (N_("{seat} has seen this, and should not."), ""),
    "scenario_not_known": (N_("{seat} cannot be sure of this: it holds in {found} of {all} cases."), ""),
    "scenario_known": (N_("{seat} can be sure whether this holds: it does in {found} of {all} cases."), ""),
    "scenario_contradiction": (
        N_("What {seat} knows cannot be found out: no game that begins like this agrees with what {seat} has seen."),
        N_("Check whether the position can come about in this game."),
    ),
    "scenario_cannot_tell": (
        N_("What {seat} knows cannot be found out: too much is hidden."),
        N_("Look at it earlier, or in a shorter scenario."),
    ),
    # worksheets of `deduce`
    "worksheet_step": (
        N_("There is no step “{name}” that asks or shows anything."),
        N_("Name a step of the rules, from the name of its rule on."),
    ),
    "worksheet_empty": (N_("This worksheet says nothing."), N_("Begin with “me:” and your seat.")),
    "worksheet_not_map": (
        N_("A worksheet consists of keys with values, and this is something else."),
        N_("Begin with “me:” and your seat."),
    ),
    "worksheet_secrets": (
        N_("The worksheet does not say which secret cards are yours."),
        N_("Write for instance “{example}”."),
    ),
    "worksheet_secret": (
        N_("The key “{key}” is missing under “secrets”."),
        N_("Write it there with its value, for instance “{example}”."),
    ),
    "worksheet_name_empty": (N_("The name of this player is empty."), N_("Write the name, or delete the entry.")),
    "worksheet_name_twice": (
        N_("Two players are called “{name}”."),
        N_("Add something to the name, such as an initial."),
    ),
    "worksheet_name_taken": (
        N_("This player cannot be called “{name}”: in the sentences that means “{other}”."),
        N_("Add something to the name, such as an initial."),
    ),
    "worksheet_name_own": (
        N_("This player cannot be called “{name}”: in the sentences that means you."),
        N_("Add something to the name, such as an initial."),
    ),
    "worksheet_seat": (N_("Nobody at the table is called “{name}”."), N_("The seats are: {seats}.")),
    "worksheet_value": (N_("“{value}” cannot stand here."), N_("These are possible: {allowed}.")),
    "worksheet_sentence": (N_("This is no sentence of a worksheet of this game."), N_("These are possible: {ways}.")),
    "worksheet_cards": (
        N_("Nobody can have been dealt these secrets."),
        N_("Check whether one of them is written twice or is not dealt in this game."),
    ),
    "worksheet_not_next": (
        N_("This cannot have come next, after all that stands before it."),
        N_("Perhaps something like: {ways}. What you saw in between has to be noted too."),
    ),
    "worksheet_model": (
        N_("It would take too long to find out how the bot “{bot}” chooses."),
        N_("Leave out --model: then the others are taken to choose evenly."),
    ),
    "worksheet_own": (
        N_("With your secrets the rules would not have let you show this."),
        N_("Check whether your secrets, what you showed and the name are written as they were."),
    ),
    "worksheet_contradiction": (
        N_("This cannot have happened if everything before is right."),
        N_("Check whether it was noted for another player or another question, or whether somebody broke the rules."),
    ),
    # save
    "save_incomplete": (
        N_("This save is incomplete: it was cut off."),
        N_("Everything up to line {line} can still be read."),
    ),
    "save_broken": (N_("This file is not a save, or it was changed by hand."), N_("Line {line} cannot be read.")),
    "save_other_rules": (
        N_("This save belongs to rules other than those that “{name}” has now."),
        N_("Use the rules with which the game was begun."),
    ),
    "save_renewed": (
        N_("This save is older than the way in which Tabarro now orders the sets and lists of “{name}”."),
        N_("Begin the game anew, or go on with it in the version with which it was begun."),
    ),
    "save_newer": (
        N_("This save was made by a newer version of Tabarro."),
        N_("Go on with it in that version."),
    ),
    "save_illegal": (
        N_("Line {line} of this save is not a possible choice."),
        N_("The file was changed by hand, or belongs to other rules."),
    ),
    "save_in_use": (
        N_("The game in “{file}” is being played in another window."),
        N_("Go on there, or end it there first."),
    ),
    "save_there": (
        N_("In “{file}” a game is saved already."),
        N_("Go on with it with “tabarro resume”, give another name, or replace it with --force."),
    ),
    "save_changed": (
        N_("The save “{file}” was changed by somebody else meanwhile."),
        N_("Go on with it with “tabarro resume”."),
    ),
    "save_unwritable": (
        N_("The save “{file}” cannot be written: {reason}."),
        N_("Check whether the folder exists, may be written to and has room."),
    ),
}

ONLY_WITH = N_("With {players} players: {message}")
# what a secret is called that is no state
SECRETS = {
    "answer": N_("answer at {step}"),
    "chosen": N_("{name}, chosen at {step}"),
    "drawn": N_("{name}, drawn at {step}"),
}
MEANT = N_("Did you mean “{meant}”?")
NO_OPTIONS = N_("This game has no options.")
