/** What `--help` prints. */
export const usage = `Runs an exported workflow without the studio.

  npm run --silent workflow -- <workflow.json> [options]

  --input <json>         what the trigger gets: JSON, @file, or - for standard input (default {});
                         a chat trigger wants { "message": "…", "sessionId": "…" }
  --vars <json>          what templates read as vars, besides the workflow's own: a JSON object, or @file
  --credentials <file>   JSON object of credential ids: { "<id>": { "type": "openai", "apiKey": "…" } };
                         HTTP types may name their hosts in "allowedHosts". The file must be
                         readable by you alone (chmod 600)
  --events               print every event as one line of JSON instead of the output
  --allow-host <host:port>
                         let the HTTP tool call this private or local address; may be given again
  --workflows <dir>      where the workflows are, exported too, that a workflow tool runs
  --approve              agree to every tool call that asks; without it such calls are rejected
  --help                 print this

Prints the output as JSON on standard output, errors on standard error. Exit code 0 when the run completed,
1 when it failed or was cancelled (Ctrl-C), 2 when the command is not understood.
`;
