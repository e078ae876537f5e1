// What the conformance suite takes for a client: has the test do what a client does, and ends as that goes.
const [test, url] = process.argv.slice(2);
const { MCP_CONFORMANCE_SCENARIO: scenario, MCP_CONFORMANCE_CONTEXT: context = "{}" } = process.env;
const response = await fetch(test, {
  method: "POST",
  body: JSON.stringify({ url, scenario, context: JSON.parse(context) }),
});
console.error(await response.text());
process.exit(response.ok ? 0 : 1);
