/** The names of the tools, by what they do. */
export const workspaceToolNames = {
  list: "list_files",
  read: "read_file",
  write: "write_file",
  edit: "edit_file",
  search: "search_files",
  query: "query_table",
} as const;
