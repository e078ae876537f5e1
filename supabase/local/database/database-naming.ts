/** What the database is called in errors at the start, and what to do instead of repairing it. */
export interface DatabaseNaming {
  /** Such as "The data directory". */
  name: string;
  /** Such as "start with another --data <dir>". */
  instead: string;
}
