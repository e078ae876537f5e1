import type { Bundle } from "../../engine/publish/bundle.ts";
import type { Publication, PublishedVersion } from "../../services/services.ts";

/**
 * What the warnings about strangers know of what is to be published. The dialog shows them; the feature of the doors has them, and the
 * page joins the two.
 */
export interface PublishTrustProps {
  bundle: Bundle;
  /** Null for a workflow that was never published. */
  publication: Publication | null;
  /** The version that callers run now; undefined while none is, or while that is not known. */
  live: Pick<PublishedVersion, "version" | "marksCallers"> | undefined;
}
