/** What `npm run workflow -- --help` prints. Plain JavaScript: it is shown before anything is installed. */
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
  --knowledge <file>     a collection, exported on the Knowledge page, that a knowledge base node may search by
                         keyword; may be given again
  --memory <file>        keep the conversations of window, summary and vector memories in this file, which is made when
                         it is not there (readable by you alone); without it they end with the run
  --workflows <dir>      where the workflows are, exported too, that a workflow tool runs
  --pins                 take outputs that are pinned in the workflow instead of running those nodes
  --otel <file>          write the run to this file as OpenTelemetry traces (OTLP JSON), without what was said
  --otel-content         write messages, arguments and results there, too
  --replay <file>        serve what a former run did from its events (printed by --events): free and offline;
                         what it did not come to is run
  --until <callId>       leave the recording at this model or tool call, and go on for real
  --repeat               do again what may have been done before the recording broke off, where "After a crash" says to
                         ask; without it such calls and steps fail and say so
  --approve              agree to every tool call that asks, and answer forms that tools ask with their defaults; without
                         it such calls are rejected and forms declined
  --help                 print this

Environment: HTTP_PROXY and HTTPS_PROXY name the proxy through which public hosts are called, NO_PROXY the hosts that are
called without it; NODE_EXTRA_CA_CERTS names a file with further authorities (PEM) whose certificates count.

Prints the output as JSON on standard output, errors on standard error. Exit code 0 when the run completed,
1 when it failed or was cancelled (Ctrl-C), 2 when the command is not understood.
`;
