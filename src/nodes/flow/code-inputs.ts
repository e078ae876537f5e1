import { z } from "zod/mini";
import { field } from "../../engine/config/field.ts";
import { jsonValue } from "../../engine/config/json-value.ts";

const nameOfVariable = z.string().check(z.regex(/^[A-Za-z_$][\w$]*$/, "Use letters, digits and _."));

/** Values that code sees as variables: what it may read of the run is named here and nowhere else. */
export const codeInputs = (help: string) =>
  field(z._default(z.record(nameOfVariable, jsonValue()), {}), {
    label: "Inputs",
    help,
    control: "key-values",
    template: "value",
  });
