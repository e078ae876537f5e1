/** What went wrong, in words for the owner. */
export interface WebFailure {
  message: string;
  hint: string;
}

/** What the web says at an address. */
export type WebAnswer =
  | {
      type: "page";
      /** Where redirects ended. */
      url: string;
      contentType: string;
      etag: string | null;
      lastModified: string | null;
      body: string;
      bytes: number;
    }
  /** As it was when its `etag` or `lastModified` came. */
  | { type: "same" }
  /** It leads to another address, which was not asked. */
  | { type: "moved"; url: string }
  /** There is no such page. */
  | { type: "gone"; error: WebFailure }
  /** `refused`: the host has answered that it will not give this. */
  | { type: "failed"; error: WebFailure; refused: boolean };
