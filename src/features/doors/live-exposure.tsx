import type { DoorKind } from "../../engine/trust/run-sources.ts";
import type { Publication } from "../../services/services.ts";
import { DoorExposure } from "./door-exposure.tsx";
import { useReachedDocument } from "./use-reached-document.ts";

/** Warns where callers of an open door can get private data out of the version that they reach. */
export function LiveExposure({ door, publication }: { door: DoorKind; publication: Publication }) {
  const { data } = useReachedDocument(publication);
  return data === undefined ? null : <DoorExposure document={data} door={door} />;
}
