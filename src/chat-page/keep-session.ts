import { z } from "zod";
import type { Keeper, Kept } from "./chat-session.ts";

/*
 * The page is served with `Content-Security-Policy: sandbox` and so has an origin that nothing else has, which keeps it
 * from the studio's session and leaves it without cookies and storage. Opened by itself it keeps its session in the entry
 * of the browser's history, which a reload of the tab brings back and no other page can read. In a frame the embedding
 * site keeps it: see `src/widget/`.
 */

const kept = z.object({ token: z.string().nullable(), threadId: z.string().nullable() });
const inHistory = z.object({ chat: kept });

/** Keeps the session with the tab. Nobody vouches for a visitor of a page that stands alone. */
export function keepInHistory(history: Pick<History, "state" | "replaceState">): Keeper {
  return {
    load: (): Kept => {
      const state = inHistory.safeParse(history.state);
      return state.success ? state.data.chat : { token: null, threadId: null };
    },
    save: (chat) => history.replaceState({ chat }, ""),
    identity: async () => null,
  };
}
