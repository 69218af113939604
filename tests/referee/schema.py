"""Validates configs by a JSON Schema, with a validator that is not ours.

    python schema.py SCHEMA CONFIG...

prints a line for each config: its name, and the first thing that is wrong with it; or `ok`; or
`no TOML`.
"""

import json
import sys
import tomllib

import jsonschema

with open(sys.argv[1]) as file:
    schema = json.load(file)
jsonschema.Draft7Validator.check_schema(schema)
validator = jsonschema.Draft7Validator(schema)
for path in sys.argv[2:]:
    try:
        with open(path, "rb") as file:
            config = tomllib.load(file)
    except tomllib.TOMLDecodeError:
        print(f"{path}\tno TOML")
        continue
    # Dates are of no type that a schema knows.
    wrong = jsonschema.exceptions.best_match(validator.iter_errors(config))
    what = "ok" if wrong is None else f"{'.'.join(map(str, wrong.absolute_path))}: {wrong.message}"
    print(f"{path}\t{what[:300]}".replace("\n", " "))
