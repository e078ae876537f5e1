import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { Router } from "wouter";
import type { UserMessage } from "../../engine/model/message.ts";
import { compareRuns } from "../../engine/run/replay/compare-runs.ts";
import { reduceRunAll } from "../../engine/run/reduce-run.ts";
import { emptyRunState, type RunState } from "../../engine/run/run-state.ts";
import { modelRequest, modelResponse, numberEvents } from "../../engine/testing/run-events.ts";
import { ComparedContent } from "./compared-content.tsx";
import { CompareView } from "./compare-view.tsx";

const picture = "data:image/png;base64,Y2F0";

/** A run that asks a model this often, with a text and a picture. */
function asking(runId: string, calls: number, text: string, url = picture): RunState {
  const message: UserMessage = {
    role: "user",
    parts: [
      { type: "text", text },
      { type: "image", url },
    ],
  };
  const bodies = Array.from({ length: calls }, (_, index) => {
    const call = { callId: `c${index}`, iteration: index + 1 };
    return [modelRequest({ ...call, messages: [message] }), modelResponse(text, call)];
  });
  return reduceRunAll(emptyRunState(runId), numberEvents(runId, bodies.flat()));
}

describe("two runs side by side", () => {
  it("draws the first of a thousand calls, and what a call contains only once it is opened", () => {
    const side = (id: string, text: string) => ({ id, name: "W", state: asking(id, 1_000, text), titleOf: String });
    const html = renderToStaticMarkup(
      <Router ssrPath="/">
        <CompareView left={side("l", "the left words")} right={side("r", "the right words")} />
      </Router>,
    );
    expect(html.match(/<details/g)).toHaveLength(200);
    expect(html).toContain("Show 200 of 800 more calls");
    expect(html).not.toContain("the left words");
  });

  it("shows what differs in a call, and its pictures as pictures", () => {
    const [pair] = compareRuns(asking("l", 1, "the left words"), asking("r", 1, "the right words")).steps;
    const html = pair === undefined ? "" : renderToStaticMarkup(<ComparedContent {...pair} />);
    const text = html.replaceAll(/<[^>]+>/g, "");
    expect(text).toContain("the left words");
    expect(text).toContain("the right words");
    expect(html).toMatch(/<mark [^>]+>left<\/mark>/);
    expect(html.match(new RegExp(`<img src="${picture}"`, "g"))).toHaveLength(1);
  });

  it("shows pictures that differ once, as a difference", () => {
    const other = "data:image/png;base64,ZG9n";
    const [pair] = compareRuns(asking("l", 1, "words"), asking("r", 1, "words", other)).steps;
    const html = pair === undefined ? "" : renderToStaticMarkup(<ComparedContent {...pair} />);
    for (const url of [picture, other]) expect(html.split(`src="${url}"`)).toHaveLength(2);
    expect(html).not.toContain("Pictures in");
  });
});
