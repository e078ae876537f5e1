import type { Json } from "../engine/json.ts";

/** Where a page of a list ends, as the server names it; handed back to get the next one. */
export type PagePlace = Json;

/** Which part of a list is wanted. */
export interface PageRequest {
  /** Words that all stand in the name; empty fits all. The server searches the whole list. */
  search?: string;
  limit: number;
  /** A page's `next`; absent begins. */
  after?: PagePlace;
}

export interface Page<Row> {
  rows: Row[];
  /** Null at the end. */
  next: PagePlace | null;
}

/** A page of a list that says how many rows fit in all. */
export interface CountedPage<Row> extends Page<Row> {
  total: number;
}
