import { createStore } from "zustand/vanilla";
import { expect, test } from "vitest";
import type { ChatSession, PageState } from "./chat-session.ts";
import { talkToParent } from "./talk-to-parent.ts";

/** A frame on a page, and a session that takes messages while `free` says so. */
function framed() {
  const said: unknown[] = [];
  const sent: string[] = [];
  const parent = { postMessage: (data: unknown) => void said.push(data) };
  const view = Object.assign(new EventTarget(), { parent }) as unknown as Window;
  const store = createStore<Pick<PageState, "info" | "turns">>(() => ({ info: null, turns: [] }));
  const state = { free: true };
  const send = (text: string) => {
    if (state.free) sent.push(text);
    return state.free;
  };
  talkToParent(view, { store, send } as unknown as ChatSession);
  const hear = (origin: string, text: unknown, source: unknown = parent) =>
    view.dispatchEvent(
      Object.assign(new Event("message"), { origin, source, data: { type: "switchyard-chat-send", text } }),
    );
  return { view, said, sent, store, state, hear };
}

const open = { info: { sites: ["https://shop.test"] } } as unknown as Pick<PageState, "info">;
const turn = (status: string) => ({ turns: [{ key: "1", status }] }) as unknown as Pick<PageState, "turns">;

test("S75 messages come from the framing page of a listed site alone, and wait until the chat takes them", () => {
  const { said, sent, store, state, hear } = framed();
  expect(said).toEqual([{ type: "switchyard-chat-listening" }]);
  hear("https://shop.test", "early");
  hear("https://evil.test", "evil");
  hear("https://shop.test", "of another frame", {});
  hear("https://shop.test", { not: "text" });
  expect(sent).toEqual([]);
  store.setState(open);
  store.setState({});
  expect(sent).toEqual(["early"]);
  state.free = false;
  hear("https://shop.test", "later");
  expect(sent).toEqual(["early"]);
  state.free = true;
  store.setState({});
  expect(sent).toEqual(["early", "later"]);
});

test("S76 the framing page learns that an answer ended, and nothing of what it says", () => {
  const { said, store } = framed();
  store.setState(turn("running"));
  store.setState(turn("completed"));
  store.setState(turn("completed"));
  expect(said.slice(1)).toEqual([{ type: "switchyard-chat-answer", status: "completed" }]);
});
