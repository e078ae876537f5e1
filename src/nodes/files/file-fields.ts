import { z } from "zod/mini";
import { field } from "../../engine/config/field.ts";
import { jsonValue } from "../../engine/config/json-value.ts";

/** Which file a step works on. */
export const fileField = (help: string) =>
  field(z._default(jsonValue(), "{{json}}"), {
    label: "File",
    help: `${help} Data that holds a file is enough, such as {{json}}.`,
    control: "text",
    template: "value",
  });
