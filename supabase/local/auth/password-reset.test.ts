import { spawn } from "node:child_process";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { SMTPServer } from "smtp-server";
import { afterAll, describe, expect, test } from "vitest";
import { createMailer } from "./mailer.ts";
import { createResetLink } from "./reset-links.ts";
import { createTestClient, signUp } from "../testing/clients.ts";
import { startTestStack, type TestStack } from "../testing/start-stack.ts";

const projectRoot = fileURLToPath(new URL("../../..", import.meta.url));

interface Arrived {
  to: string[];
  text: string;
}

/** A real mail server that keeps what it gets; with `user` it wants to know who sends. */
async function startMailServer(user?: { name: string; password: string }) {
  const arrived: Arrived[] = [];
  const waiting: (() => void)[] = [];
  const server = new SMTPServer({
    authOptional: user === undefined,
    hideSTARTTLS: true,
    allowInsecureAuth: true,
    onAuth: (auth, _session, done) =>
      auth.username === user?.name && auth.password === user?.password
        ? done(null, { user: auth.username })
        : done(new Error("Wrong user or password")),
    onData(stream, session, done) {
      const parts: Buffer[] = [];
      stream.on("data", (part: Buffer) => parts.push(part));
      stream.on("end", () => {
        const source = Buffer.concat(parts).toString();
        // Quoted-printable breaks long lines.
        const text = source.replaceAll("=\r\n", "").replaceAll("=3D", "=");
        arrived.push({ to: session.envelope.rcptTo.map(({ address }) => address), text });
        done();
        for (const go of waiting.splice(0)) go();
      });
    },
  });
  server.listen(0, "127.0.0.1");
  await once(server.server, "listening");
  const { port } = server.server.address() as AddressInfo;
  const login = user === undefined ? "" : `${user.name}:${encodeURIComponent(user.password)}@`;
  return {
    url: `smtp://${login}127.0.0.1:${port}`,
    arrived,
    next: () => new Promise<void>((resolve) => waiting.push(resolve)),
    stop: () => new Promise<void>((resolve) => server.close(resolve)),
  };
}

async function post(stack: TestStack, path: string, body: object) {
  const headers = { apikey: stack.key, "content-type": "application/json" };
  const response = await fetch(`${stack.url}/auth/v1/${path}`, { method: "POST", headers, body: JSON.stringify(body) });
  const answer = (await response.json()) as { error_code?: string; email?: string };
  return { status: response.status, ...answer };
}

const reset = (stack: TestStack, token: string, password: string) => post(stack, "reset-password", { token, password });

describe("a studio without mail", async () => {
  const stack = await startTestStack();
  afterAll(() => stack.stop());

  /** As the operator calls it, beside the running studio. */
  async function command(...typed: string[]) {
    const child = spawn(process.execPath, ["cli/reset-password.mjs", ...typed], { cwd: projectRoot });
    const output = { stdout: "", stderr: "" };
    child.stdout.on("data", (part: Buffer) => (output.stdout += part.toString()));
    child.stderr.on("data", (part: Buffer) => (output.stderr += part.toString()));
    const [status] = (await once(child, "close")) as [number];
    return { status, ...output };
  }

  test("S65 the operator's link sets a new password once, and ends every session", async () => {
    const user = await signUp(stack);
    const { stdout, stderr } = await command(user.email.toUpperCase(), "--data", stack.dataDir);
    const [, site, token = ""] = /^(.*)\/#reset=(\S+)\n$/.exec(stdout) ?? [];
    expect(site).toBe(stack.url);
    expect(stderr).toContain("within one hour");
    const second = (await command("--data", stack.dataDir, user.email)).stdout.trim().split("#reset=")[1] ?? "";

    expect(await reset(stack, token, "short")).toMatchObject({ status: 422, error_code: "weak_password" });
    expect((await user.client.from("studio_workflows").select("id")).error).toBeNull();
    expect(await reset(stack, token, "another-test-password")).toEqual({ status: 200, email: user.email });
    expect((await user.client.from("studio_workflows").select("id")).error).not.toBeNull();
    expect((await user.client.auth.refreshSession()).error).not.toBeNull();
    const { auth } = createTestClient(stack);
    expect((await auth.signInWithPassword(user)).error?.code).toBe("invalid_credentials");
    const again = await auth.signInWithPassword({ email: user.email, password: "another-test-password" });
    expect(again.data.user?.id).toBe(user.userId);

    // Both that link and the older one, which was bound to the password that is gone.
    for (const used of [token, second]) {
      expect(await reset(stack, used, "a-third-test-password")).toMatchObject({
        status: 403,
        error_code: "otp_expired",
      });
    }
  });

  test("S65 a link is used once although two use it at the same time", async () => {
    const user = await signUp(stack);
    const [, token = ""] = (await command(user.email, "--data", stack.dataDir)).stdout.trim().split("#reset=");
    const both = await Promise.all([
      reset(stack, token, "first-test-password"),
      reset(stack, token, "second-test-password"),
    ]);
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 403]);
  });

  test("S65 what this studio has not signed is no link", async () => {
    const { email } = await signUp(stack);
    const forged = await createResetLink("the secret of another studio", stack.url, { email, mark: "any" });
    const wrongMark = await createResetLink(stack.jwtSecret, stack.url, { email, mark: "any" });
    for (const token of ["", "x.y.z", ...[forged, wrongMark].map((link) => link.split("#reset=")[1] ?? "")]) {
      expect(await reset(stack, token, "another-test-password")).toMatchObject({ status: 403 });
    }
    const headers = { apikey: stack.key, authorization: `Bearer ${wrongMark.split("#reset=")[1]}` };
    expect((await fetch(`${stack.url}/rest/v1/studio_workflows`, { headers })).status).toBe(401);
  });

  test("the command says what it needs, and whom it does not know", async () => {
    const guest = `guest-1@guest.local`;
    await createTestClient(stack).auth.signUp({ email: guest, password: "test-password-of-a-guest" });
    const cases: [string[], string][] = [
      [["--data", stack.dataDir], "No e-mail address was given"],
      [["nobody@example.test", "--data", stack.dataDir], "No account has the address nobody@example.test"],
      [[guest, "--data", stack.dataDir], "Guests have no password"],
      [["ada@example.test", "--data", `${stack.dataDir}-none`], "No instance of Switchyard is running"],
      [["ada@example.test", "--nonsense"], "Unknown option --nonsense"],
    ];
    for (const [typed, words] of cases) {
      expect(await command(...typed)).toMatchObject({ status: 1, stdout: "", stderr: expect.stringContaining(words) });
    }
  });
});

describe("a studio that sends mail", async () => {
  const mail = await startMailServer({ name: "studio", password: "test-password/1" });
  const lines: string[] = [];
  const stack = await startTestStack({
    mail: { smtpUrl: mail.url, from: "Switchyard <studio@example.test>" },
    log: (line) => lines.push(line),
  });
  afterAll(async () => {
    await stack.stop();
    await mail.stop();
  });

  test("S65 sends a link to the account's address alone, and answers everybody the same", async () => {
    const user = await signUp(stack);
    const sent = mail.next();
    expect(await post(stack, "recover", { email: "nobody@example.test" })).toEqual({ status: 200 });
    expect(await post(stack, "recover", { email: user.email })).toEqual({ status: 200 });
    await sent;
    expect(mail.arrived.map(({ to }) => to)).toEqual([[user.email]]);
    const [, token = ""] = /#reset=([\w.-]+)/.exec(mail.arrived[0]?.text ?? "") ?? [];
    expect(mail.arrived[0]?.text).toContain(`${stack.url}/#reset=`);
    expect(await reset(stack, token, "another-test-password")).toMatchObject({ status: 200, email: user.email });
  });

  test("S65 floods nobody, known or unknown", async () => {
    for (const email of [(await signUp(stack)).email, "unknown@example.test"]) {
      for (let time = 0; time < 3; time += 1) expect((await post(stack, "recover", { email })).status).toBe(200);
      expect(await post(stack, "recover", { email })).toMatchObject({
        status: 429,
        error_code: "over_request_rate_limit",
      });
    }
  });

  test("says in the terminal when a mail could not be sent", async () => {
    const user = await signUp(stack);
    await mail.stop();
    expect(await post(stack, "recover", { email: user.email })).toEqual({ status: 200 });
    await expect.poll(() => lines.join("\n")).toContain("A mail with a link for a new password was not sent");
    expect(lines.join("\n")).not.toContain("#reset=");
  });
});

test.each([
  [{ smtpUrl: "smtp://127.0.0.1:25" }, "go together"],
  [{ from: "studio@example.test" }, "go together"],
  [{ smtpUrl: "mail.example.test", from: "studio@example.test" }, "not the address of a mail server"],
  [{ smtpUrl: "smtp://127.0.0.1:25", from: "studio" }, "not an e-mail address"],
])("settings of mail that cannot work are said at the start: %j", async (mail, words) => {
  expect(() => createMailer(mail)).toThrow(words);
  await expect(startTestStack({ mail })).rejects.toThrow(words);
});

test("S65 a mail server elsewhere gets nothing unencrypted", async () => {
  const plain = await startMailServer();
  try {
    // By a name of this machine that does not say so.
    const send = createMailer({ smtpUrl: plain.url.replace("127.0.0.1", "0.0.0.0"), from: "studio@example.test" });
    await expect(send?.({ to: "ada@example.test", subject: "Test", text: "Test" })).rejects.toThrow(/TLS|certificate/i);
    expect(plain.arrived).toEqual([]);
  } finally {
    await plain.stop();
  }
});
