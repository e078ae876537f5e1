import { describe, expect, it } from "vitest";
import { answerProblems, filledIn } from "./answer-problems.ts";

const schema = {
  type: "object",
  properties: {
    name: { type: "string", minLength: 2 },
    mail: { type: "string", format: "email" },
    age: { type: "integer", minimum: 0 },
    size: { type: "string", enum: ["S", "M"] },
    days: { type: "array", minItems: 1, items: { type: "string", enum: ["Mon", "Tue"] } },
  },
  required: ["name", "size"],
};

describe("answerProblems", () => {
  it("names each field that is missing or does not fit", () => {
    const values = { name: "A", mail: "nobody", age: "three", size: "L", days: [] };
    expect(Object.keys(answerProblems(schema, values))).toEqual(["name", "mail", "age", "size", "days"]);
    expect(answerProblems(schema, {})).toEqual({ name: "Fill this in.", size: "Fill this in." });
  });

  it("takes what fits, and empty optional fields as left out", () => {
    const values = { name: "Ada", mail: "", age: 36, size: "M", days: ["Mon"] };
    expect(answerProblems(schema, values)).toEqual({});
    expect(filledIn(values)).toEqual({ name: "Ada", age: 36, size: "M", days: ["Mon"] });
  });
});
