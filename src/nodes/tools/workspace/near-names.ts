import { editDistance } from "../../../engine/edit-distance.ts";

/** Names that are compared, and characters of each, so that the cost stays small whatever a file holds. */
const maxCompared = 1_000;
const maxComparedChars = 100;

/** Of the first thousand names, those that are most like one that was asked for, the nearest first. */
export function nearNames(asked: string, names: readonly string[], most: number): string[] {
  const wanted = asked.slice(0, maxComparedChars);
  return names
    .slice(0, maxCompared)
    .map((name) => ({ name, distance: editDistance(name.slice(0, maxComparedChars), wanted) }))
    .toSorted((a, b) => a.distance - b.distance)
    .slice(0, most)
    .map(({ name }) => name);
}
