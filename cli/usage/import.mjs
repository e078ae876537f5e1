/** What `npm run import -- --help` prints. Plain JavaScript: it is shown before anything is installed. */
export const usage = `Reads workflows of other builders (n8n, Dify, Flowise, Langflow, code of OpenAI's Agent Builder), OpenAPI documents and cURL
commands, and says, node by node, what becomes of them.

  npm run --silent import -- <file|folder> [--out <folder>] [--json]

  --out <folder>  write each workflow there, to be imported in the studio
  --json          print one line of JSON per file instead of a summary
  --help          print this

Nothing of a file is run, evaluated or requested. Credentials never come along, and keys that are typed into a file are
taken out. Exit code 0 when every file was read, 1 when one could not be, 2 when the command is not understood.
`;
