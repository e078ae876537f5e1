import type { PostgresTable } from "../knowledge/postgres-table.ts";

/** A table with a text in each row and nothing else. */
export const sampleTable: PostgresTable = {
  credential: "c",
  table: "articles",
  id: "id",
  text: "body",
  title: null,
  url: null,
  vector: null,
  comparison: "cosine",
  dimension: null,
  metadata: [],
  filter: "",
  language: "english",
};
