/** An error that a vendor answered with: by its status, or, without one, in an answer that had begun well. */
export class VendorRefusal extends Error {
  readonly status: number | undefined;
  readonly headers: Headers;
  /** What it sent, parsed; undefined where that is no JSON. */
  readonly body: unknown;

  constructor(refusal: { status?: number; headers: Headers; body: unknown; text?: string }) {
    super(refusal.text?.slice(0, longestText) || (refusal.status ? `status ${refusal.status}` : midway));
    this.name = "VendorRefusal";
    this.status = refusal.status;
    this.headers = refusal.headers;
    this.body = refusal.body;
  }
}

/** Enough for a sentence, and not the whole page that a gateway shows. */
const longestText = 500;

const midway = "The server sent an error partway through its answer.";
