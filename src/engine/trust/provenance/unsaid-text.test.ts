import { describe, expect, it } from "vitest";
import { doorKinds, runSourceNames, trustOfInput } from "../run-sources.ts";
import { askReason, unaskedText } from "./unsaid-text.ts";

const call = { path: [], value: "send", origin: "unknown" as const };
const recipient = { path: ["to"], value: "a@b.example", origin: "outside" as const };

/** What is said of a call that nothing asked for, in a run of each source. */
function saidOf(callers: "trusted" | "untrusted" | null) {
  return Object.fromEntries(
    runSourceNames.map((source) => {
      const { untrusted, asker } = trustOfInput(source, callers);
      return [source, unaskedText(asker === undefined ? {} : { asker }, untrusted)];
    }),
  );
}

describe("a question about a call that nothing asked for", () => {
  it("names the caller whose words count as the owner's", () => {
    const { chat, editor, schedule, failure, manual, ...doors } = saidOf("trusted");
    expect(chat).toBe("Nothing the visitor wrote asked for this call.");
    expect(Object.keys(doors)).toHaveLength(doorKinds.length - 1);
    expect(new Set(Object.values(doors))).toEqual(new Set(["Nothing the caller wrote asked for this call."]));
    for (const own of [editor, schedule, failure, manual]) expect(own).toBe("Nothing you wrote asked for this call.");
  });

  it("says that the words of a caller do not count where they do not", () => {
    const { chat, api, editor } = saidOf("untrusted");
    expect(chat).toBe("You did not ask for this call, and the visitor’s words do not count as yours.");
    expect(api).toBe("You did not ask for this call, and the caller’s words do not count as yours.");
    expect(editor).toBe("Nothing you wrote asked for this call.");
  });
});

it("a reason names whom a value did not come from", () => {
  expect(askReason({ unsaid: [call, recipient] })).toBe(
    "Nothing you wrote asked for this call. “to” did not come from you: a@b.example.",
  );
  expect(askReason({ unsaid: [{ ...recipient, asker: "visitor" }] })).toBe(
    "“to” did not come from the visitor: a@b.example.",
  );
});
