import type { Publication } from "../../services/services.ts";

/** What each row of a publication's doors is given. */
export interface RowProps {
  publication: Publication;
  /** Whether the version that callers reach has the trigger that the door needs. */
  hasTrigger: boolean;
}
