/** What `npm run export -- --help` prints. Plain JavaScript: it is shown before anything is installed. */
export const usage = `Writes a workflow as one TypeScript file for another library.

  npm run --silent export -- <workflow.json> --to openai-agents|ai-sdk [--out <file>]

  --to <library>  openai-agents: OpenAI's Agents SDK; ai-sdk: Vercel's AI SDK
  --out <file>    write the program there instead of printing it
  --help          print this

The file exports \`run(input, options)\` and begins with the packages to install, the environment variables it reads and what it
does not have. Credentials never come along. Exit code 0 when it was written, 1 when the workflow cannot be used, 2 when the
command is not understood.
`;
