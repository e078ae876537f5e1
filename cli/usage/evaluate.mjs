/** What `npm run evaluate -- --help` prints. Plain JavaScript: it is shown before anything is installed. */
export const usage = `Runs a suite: every case of a dataset several times, and says what that proves.

  npm run --silent evaluate -- <suite.json> [options]
  npm run --silent evaluate -- --import <config> --to <folder> [--data <rows.jsonl>] [--json]

  --trials <n>           how often each case is tried (the suite's number when absent)
  --model <model>        try this model instead of the suite's matrix; <node id>=<model> where there are several models
  --replay <mode>        what answers from recordings: none, tools (the model is live), or all (no keys, no network)
  --on-miss <what>       a call that is not recorded: fail, or live
  --record               write each run to the suite's "cassettes", for --replay
  --baseline <file>      compare with a result that --out wrote
  --out <file>           write the result there, as JSON
  --junit <file>         write it there, too, as JUnit XML
  --json                 print the result as JSON instead of a summary
  --fresh                do not go on with an evaluation that was broken off
  --credentials <file>   JSON object of credential ids, as "npm run workflow" takes it; also for judge, embeddings and user
  --vars <json>          what templates read as vars: a JSON object, or @file
  --allow-host <host:port>
                         let the HTTP tool call this private or local address; may be given again
  --knowledge <file>     an exported collection that a knowledge base node may search; may be given again
  --workflows <dir>      where the workflows are that a workflow tool runs (the suite's "workflows" when absent)
  --help                 print this

  --import <config>      make a suite of a promptfoo config (YAML or JSON) or of an eval of OpenAI (JSON, its rows in
                         --data), in the folder --to; says of each part what became of it, and runs nothing

Environment: HTTP_PROXY and HTTPS_PROXY name the proxy through which public hosts are called, NO_PROXY the hosts that are
called without it; NODE_EXTRA_CA_CERTS names a file with further authorities (PEM) whose certificates count.

Each finished trial is stored at once beside the result (or the suite). The same command goes on with an evaluation that was
broken off, whatever broke it.

Exit code 0 when the gate is passed (without a gate: when every trial passed), 1 when it failed, 2 when the command, the suite
or its dataset is not understood, 3 when there is too little evidence (even if every trial had passed, or where nothing was checked), 4 when
it could not run.
`;
