import type { BrowserModelState } from "../../engine/model/browser-model.ts";
import type { NoticeTone } from "../../ui/feedback/notice.tsx";

interface StateWords {
  tone: NoticeTone;
  title: string;
  detail: string;
}

/** What a state of the browser's model means to a person, and what to do. */
export function stateWords(state: BrowserModelState, language: string): StateWords {
  switch (state) {
    case "missing":
      return {
        tone: "warning",
        title: "This browser has no built-in language model",
        detail:
          "Open the studio in a desktop browser that has one, such as a current Chrome or Edge, or use another model.",
      };
    case "unavailable":
      return {
        tone: "warning",
        title: "This browser cannot use its language model here",
        detail: `The device may lack memory or disk space, built-in AI may be switched off in the browser's settings, or the model does not know the language "${language}".`,
      };
    case "downloadable":
      return {
        tone: "info",
        title: "This browser can download its language model",
        detail: "That happens once and takes several gigabytes. It then works on this device, also offline.",
      };
    case "downloading":
      return {
        tone: "info",
        title: "This browser is downloading its language model",
        detail: "This can take minutes. Keep the tab open.",
      };
    case "available":
      return {
        tone: "success",
        title: "This browser has its language model",
        detail: "It works on this device; nothing you say to it leaves the machine.",
      };
    default:
      return state satisfies never;
  }
}
