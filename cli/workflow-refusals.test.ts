import { afterAll, describe, expect, it } from "vitest";
import { startProxyServer } from "../supabase/functions/_shared/testing/proxy-server.ts";
import { startWorkflowCommand } from "../scripts/testing/workflow-command.ts";

const { model, api, write, run, ask, stop } = await startWorkflowCommand();

afterAll(stop);

describe("npm run workflow says", () => {
  it("says through which proxy it calls, and what is wrong with one, without its password", async () => {
    const proxy = await startProxyServer({ targetPort: 1, account: "ada:test-key-proxy", answer: () => 403 });
    const credential = { type: "openai-compatible", baseUrl: "https://model.example.com/v1", apiKey: "test-key-1" };
    write("far.json", { "key-1": credential }, 0o600);
    const args = ["agent.json", "--input", '{"message":"Hi"}', "--credentials", "far.json"];
    const HTTPS_PROXY = `http://ada:test-key-proxy@127.0.0.1:${proxy.port}`;
    const refused = await run(args, { environment: { HTTPS_PROXY, NO_PROXY: "example.org" } });
    await proxy.stop();
    expect(refused.stderr).toContain(
      `https through http://127.0.0.1:${proxy.port}, http directly, except example.org.`,
    );
    expect(refused.stderr).toContain("The studio's proxy refused to connect to model.example.com (status 403).");
    expect([refused.code, proxy.asked]).toEqual([1, ["model.example.com:443"]]);
    const socks = await run(args, { environment: { HTTP_PROXY: "socks5://ada:test-key-proxy@127.0.0.1" } });
    expect([socks.code, socks.stderr]).toEqual([2, expect.stringContaining("only http:// and https:// proxies")]);
    expect(refused.stderr + socks.stderr).not.toContain("test-key-proxy");
  });

  it("says what the vendor said and what to do, and exits with 1", async () => {
    const { code, stdout, stderr } = await run(ask("[401]"));
    expect(code).toBe(1);
    expect(stdout).toBe("");
    expect(stderr).toContain("invalid_credentials");
    expect(stderr).toContain("Incorrect API key provided.");
  });

  it("says what a server said to a request that it refused", async () => {
    const url = `${api.url}/weather?city=Nowhere`;
    const trigger = { id: "start", type: "manual-trigger", title: "Start" };
    const request = { id: "ask", type: "http-request", title: "Ask", config: { url } };
    const edges = { e: { id: "e", from: { node: "start", port: "main" }, to: { node: "ask", port: "main" } } };
    write("request.json", { id: "w", name: "Ask", nodes: { start: trigger, ask: request }, edges });
    const { code, stderr } = await run(["request.json", "--allow-host", new URL(api.url).host]);
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining('The server said: {"error":"No weather for \\"Nowhere\\".'),
    ]);
  });

  it("S43 prints a key nowhere, also when the vendor echoes it", async () => {
    const { stdout, stderr } = await run([...ask("[echo key]"), "--events"]);
    expect(stdout).toContain("invalid_credentials");
    expect(stdout + stderr).not.toContain(model.key);
  });

  it("refuses a credentials file that others may read", async () => {
    write("shared.json", { "key-1": { type: "openai", apiKey: "test-key-shared" } }, 0o644);
    const { code, stderr } = await run(["agent.json", "--credentials", "shared.json"]);
    expect(code).toBe(1);
    expect(stderr).toMatch(/mode 644[\s\S]*chmod 600/);
    expect(stderr).not.toContain("test-key-shared");
  });

  it("names what is wrong in a credentials file without showing values", async () => {
    write("wrong.json", { "key-1": { type: "openai", apiKey: "test-key-wrong", baseUrl: "nowhere" } }, 0o600);
    const { code, stderr } = await run(["agent.json", "--credentials", "wrong.json"]);
    expect(code).toBe(1);
    expect(stderr).toContain('"key-1" of type openai: baseUrl');
    expect(stderr).not.toContain("test-key-wrong");
  });

  it("names settings that do not fit their credential", async () => {
    const connectionString = "postgresql://a:test-key-settings@db.example.com/b";
    write("set.json", { "key-1": { type: "postgres", connectionString, settings: { hints: 1 } } }, 0o600);
    const { code, stderr } = await run(["agent.json", "--credentials", "set.json"]);
    expect(code).toBe(1);
    expect(stderr).toContain('the settings of "key-1" do not fit type postgres');
    expect(stderr).not.toContain("test-key-settings");
  });

  it("says that nobody signs in with a browser here", async () => {
    write("signed.json", { "key-1": { type: "mcp-oauth", url: "https://mcp.example.com/mcp" } }, 0o600);
    const { code, stderr } = await run(["agent.json", "--credentials", "signed.json"]);
    expect(code).toBe(1);
    expect(stderr).toMatch(/"key-1" needs a browser[\s\S]*Authorization/);
  });

  it("names a credential that is missing", async () => {
    const { code, stderr } = await run(["agent.json", "--input", '{"message":"Hi"}']);
    expect(code).toBe(1);
    expect(stderr).toContain('"key-1" is not in the credentials file');
  });

  it("says each problem of a workflow file that is not valid", async () => {
    write("broken.json", {
      nodes: [{ id: "agent", type: "ai-agent" }],
      edges: [
        { from: { node: "nowhere", port: "main" }, to: { node: "agent", port: "main" } },
        { from: { node: "agent", port: "main" }, to: { node: "elsewhere", port: "main" } },
      ],
    });
    const { code, stderr } = await run(["broken.json"]);
    expect(code).toBe(1);
    expect(stderr).toContain("nowhere");
    expect(stderr).toContain("elsewhere");
  });

  it("says at which node a workflow lacks something", async () => {
    write("no-model.json", {
      nodes: [
        { id: "start", type: "chat-trigger" },
        { id: "agent", type: "ai-agent", title: "Lonely agent" },
      ],
      edges: [{ from: { node: "start", port: "main" }, to: { node: "agent", port: "main" } }],
    });
    const { code, stderr } = await run(["no-model.json", "--input", '{"message":"Hi"}']);
    expect(code).toBe(1);
    expect(stderr).toContain('missing_connection) at "Lonely agent"');
  });

  it("explains itself, and exits with 2 when it is not understood", async () => {
    const help = await run(["--help"]);
    expect(help.code).toBe(0);
    expect(help.stdout).toContain("--allow-host");
    const unknown = await run(["agent.json", "--nonsense"]);
    expect(unknown.code).toBe(2);
    expect(unknown.stderr).toContain("--nonsense");
  });

  it("names a workflow file that is not there", async () => {
    const { code, stderr } = await run(["missing.json"]);
    expect(code).toBe(1);
    expect(stderr).toContain("the file does not exist");
  });
});
