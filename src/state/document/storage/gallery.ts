import type { Host } from "../../../engine/host.ts";
import type { GalleryService } from "../../../services/services.ts";
import { fetchPage } from "../../knowledge/storage/fetch-page.ts";

/** So long a list may take. */
const timeoutMs = 30_000;

/** Reads lists of templates through the guarded way out: at most 5 MB, and no private address that is not allowed. */
export function createGallery(callFunction: Host["callFunction"]): Pick<GalleryService, "read"> {
  return {
    async read(address) {
      const { url, body } = await fetchPage(address, callFunction, AbortSignal.timeout(timeoutMs));
      return { url, text: body };
    },
  };
}
