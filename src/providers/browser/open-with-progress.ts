import type {
  BrowserModel,
  BrowserModelOpening,
  BrowserModelSession,
  BrowserModelState,
} from "../../engine/model/browser-model.ts";
import type { ModelEvent } from "../../engine/model/chat-model.ts";

/** Percent between two lines of the log. */
const step = 5;

/** Opens a session and says how the download goes while it does. Rejects as `open` does. */
export async function* openWithProgress(
  browser: BrowserModel,
  opening: Omit<BrowserModelOpening, "onDownload">,
  state: BrowserModelState,
): AsyncGenerator<ModelEvent, BrowserModelSession> {
  const isThere = state === "available";
  if (!isThere)
    yield {
      type: "warning",
      message: "The browser downloads its language model first, which happens once and can take minutes.",
      hint: "Keep this tab open. The log shows how far it is.",
    };
  let percent = 0;
  let said = 0;
  let wake = (): void => undefined;
  const opened = browser.open({
    ...opening,
    onDownload(share) {
      percent = Math.floor((share * 100) / step) * step;
      wake();
    },
  });
  const settled = opened.then(
    () => true,
    () => true,
  );
  for (;;) {
    const moved = new Promise<false>((resolve) => {
      wake = () => resolve(false);
    });
    // Browsers report a full download of a model that has long been there.
    if (!isThere && percent > said) {
      said = percent;
      yield { type: "progress", message: `Language model of the browser: ${percent} % downloaded` };
      continue;
    }
    if (await Promise.race([settled, moved])) return await opened;
  }
}
