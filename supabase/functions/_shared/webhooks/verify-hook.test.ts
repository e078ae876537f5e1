import { describe, expect, it } from "vitest";
import { Webhook } from "standardwebhooks";
import {
  deliveryOf,
  hookSchemeFacts,
  hookSchemes,
  type HookScheme,
  provesSender,
} from "../../../../src/doors/hook-scheme.ts";
import { bytesOf, fromHex, hmac, joinParts, toBase64, toHex } from "./signature-bytes.ts";
import { newStandardSecret, standardHeaders, standardKey } from "./standard-webhook.ts";
import { type HookRefusal, refuseHook } from "./verify-hook.ts";

/** A request with what it was signed with, and when. */
interface Example {
  secret: string;
  headers: Record<string, string>;
  body: string;
  at: number;
}

const slackBody =
  "token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V&channel_name=foobar" +
  "&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text=" +
  "&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN" +
  "&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c";

const hello = {
  secret: "It's a Secret to Everybody",
  headers: { "x-hub-signature-256": "sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17" },
  body: "Hello, World!",
  at: 1_700_000_000,
};

/** Those that the vendors' own pages publish. */
const published: [HookScheme, Example][] = [
  [
    "standard",
    {
      secret: "whsec_plJ3nmyCDGBKInavdOK15jsl",
      headers: {
        "webhook-id": "msg_loFOjxBNrRLzqYUf",
        "webhook-timestamp": "1731705121",
        "webhook-signature": "v1,rAvfW3dJ/X/qxhsaXPOyyCGmRKsaKWcsNccKXlIktD0=",
      },
      body: '{"event_type":"ping","data":{"success":true}}',
      at: 1_731_705_121,
    },
  ],
  ["github", hello],
  ["whatsapp", hello],
  [
    "slack",
    {
      secret: "8f742231b10e8888abcd99yyyzzz85a5",
      headers: {
        "x-slack-request-timestamp": "1531420618",
        "x-slack-signature": "v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503",
      },
      body: slackBody,
      at: 1_531_420_618,
    },
  ],
];

async function stripeExample(): Promise<Example> {
  const [secret, body, at] = ["whsec_test_secret", '{"id":"evt_1","object":"event"}', 1_492_774_577];
  const v1 = toHex(await hmac(secret, `${at}.${body}`));
  // https://docs.stripe.com/webhooks#verify-manually: other versions and further v1 signatures may stand beside it.
  return { secret, body, at, headers: { "stripe-signature": `t=${at},v1=${"00".repeat(32)},v1=${v1},v0=6ffbb59b` } };
}

async function discordExample(): Promise<Example> {
  const pair = await crypto.subtle.generateKey("Ed25519", true, ["sign", "verify"]);
  if (!("privateKey" in pair)) throw new Error("No key pair was made.");
  const [body, at] = ['{"type":1}', 1_700_000_000];
  const signature = await crypto.subtle.sign("Ed25519", pair.privateKey, bytesOf(`${at}${body}`));
  return {
    secret: toHex(new Uint8Array(await crypto.subtle.exportKey("raw", pair.publicKey))),
    body,
    at,
    headers: { "x-signature-timestamp": String(at), "x-signature-ed25519": toHex(new Uint8Array(signature)) },
  };
}

async function examples(): Promise<[HookScheme, Example][]> {
  const body = '{"update_id":7}';
  return [
    ...published,
    ["stripe", await stripeExample()],
    ["discord", await discordExample()],
    ["bearer", { secret: "test-key-a", body, at: 1_000, headers: { authorization: "Bearer test-key-a" } }],
    [
      "telegram",
      { secret: "test-key-b", body, at: 1_000, headers: { "x-telegram-bot-api-secret-token": "test-key-b" } },
    ],
  ];
}

function refusal(scheme: HookScheme, example: Example, secrets = [example.secret], at = example.at) {
  return refuseHook(scheme, secrets, { headers: example.headers, body: bytesOf(example.body) }, at);
}

const timed: readonly HookScheme[] = ["standard", "slack", "stripe", "discord"];

describe("S74 signatures of webhooks", () => {
  it.each(published)("%s: the published example is taken", async (scheme, example) => {
    expect(await refusal(scheme, example)).toBeUndefined();
  });

  it("every scheme takes its own request, with either of two live secrets, and no other", async () => {
    const all = await examples();
    expect(new Set(all.map(([scheme]) => scheme))).toEqual(new Set(hookSchemes.filter((scheme) => scheme !== "none")));
    const other = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
    for (const [scheme, example] of all) {
      expect([scheme, await refusal(scheme, example)]).toEqual([scheme, undefined]);
      expect([scheme, await refusal(scheme, example, [other, example.secret])]).toEqual([scheme, undefined]);
      expect([scheme, await refusal(scheme, example, [example.secret, other])]).toEqual([scheme, undefined]);
      for (const wrong of [[other], [""], [], [`${example.secret}x`]])
        expect([scheme, wrong, await refusal(scheme, example, wrong)]).toEqual([scheme, wrong, "signature"]);
    }
  });

  it("a token may come as a password", async () => {
    const asked = (authorization: string) =>
      refuseHook("bearer", ["test-key-a"], { headers: { authorization }, body: bytesOf("") }, 1_000);
    for (const user of ["mail", ""]) expect(await asked(`Basic ${btoa(`${user}:test-key-a`)}`)).toBeUndefined();
    expect(await asked(`Basic ${btoa("test-key-a:wrong")}`)).toBe("signature");
    for (const odd of ["Basic", "Basic !", `Basic ${btoa("test-key-a")}`, `Basic ${btoa("user:")}`])
      expect(await asked(odd)).toBe("missing");
  });

  it("nothing is taken whose body or signature was changed, or that lacks one", async () => {
    for (const [scheme, example] of await examples()) {
      if (scheme !== "bearer" && scheme !== "telegram") {
        expect([scheme, await refusal(scheme, { ...example, body: `${example.body} ` })]).toEqual([
          scheme,
          "signature",
        ]);
      }
      for (const name of Object.keys(example.headers)) {
        const headers = { ...example.headers };
        delete headers[name];
        expect([scheme, name, await refusal(scheme, { ...example, headers })]).toEqual([scheme, name, "missing"]);
        const odd = { ...example.headers, [name]: "é,=v1,,\u0000 v0=zz" };
        const found: HookRefusal | undefined = await refusal(scheme, { ...example, headers: odd });
        expect([scheme, name, found]).not.toEqual([scheme, name, undefined]);
      }
    }
  });

  it("five minutes are the limit, into the past and into the future", async () => {
    for (const [scheme, example] of await examples()) {
      if (!timed.includes(scheme)) continue;
      for (const away of [-300, 300])
        expect(await refusal(scheme, example, undefined, example.at + away)).toBeUndefined();
      for (const away of [-301, 301])
        expect([scheme, await refusal(scheme, example, undefined, example.at + away)]).toEqual([scheme, "time"]);
    }
  });

  it("bytes that are no text are signed as they are", async () => {
    const body = Uint8Array.from([0xff, 0xfe, 0, 0x80, 10]);
    const secret = newStandardSecret();
    const headers = await standardHeaders([secret], { id: "msg_1", timestamp: 1_000, body });
    expect(await refuseHook("standard", [secret], { headers, body }, 1_000)).toBeUndefined();
    expect(await refuseHook("standard", [secret], { headers, body: body.map((byte) => byte ^ 1) }, 1_000)).toBe(
      "signature",
    );
  });
});

describe("Standard Webhooks, with the reference library", () => {
  const now = () => Math.floor(Date.now() / 1_000);
  const body = '{"kind":"run-failed","message":"Größe"}';

  it("takes what we sign, with each of two secrets", async () => {
    const secrets = [newStandardSecret(), newStandardSecret()];
    const headers = await standardHeaders(secrets, { id: "msg_1", timestamp: now(), body });
    for (const secret of secrets) expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body));
    expect(() => new Webhook(newStandardSecret()).verify(body, headers)).toThrow("No matching signature");
  });

  it("signs what we take", async () => {
    const secret = newStandardSecret();
    const at = new Date();
    const headers = {
      "webhook-id": "msg_2",
      "webhook-timestamp": String(Math.floor(at.getTime() / 1_000)),
      "webhook-signature": `v1a,AAAA ${new Webhook(secret).sign("msg_2", at, body)}`,
    };
    expect(await refuseHook("standard", [secret], { headers, body: bytesOf(body) }, now())).toBeUndefined();
  });

  it("has secrets of 16 to 64 bytes", async () => {
    expect(standardKey(newStandardSecret())?.byteLength).toBe(32);
    for (const wrong of ["", "whsec_", "whsec_not base64!", `whsec_${toBase64(new Uint8Array(8))}`])
      expect(standardKey(wrong)).toBeUndefined();
    await expect(standardHeaders(["short"], { id: "a", timestamp: 1, body: "" })).rejects.toThrow("base64");
  });
});

describe("what numbers a delivery", () => {
  it("is the sender's own number, else an idempotency key", () => {
    expect(deliveryOf("github", { "x-github-delivery": "d1", "idempotency-key": "k" }, {})).toBe("d1");
    expect(deliveryOf("standard", { "webhook-id": "m1" }, {})).toBe("m1");
    expect(deliveryOf("stripe", {}, { id: "evt_1" })).toBe("evt_1");
    expect(deliveryOf("telegram", {}, { update_id: 7 })).toBe("7");
    const whatsApp = (messages: unknown[]) => ({ entry: [{ changes: [{ value: { messages } }] }] });
    expect(deliveryOf("whatsapp", {}, whatsApp([{ id: "wamid.1" }]))).toBe("wamid.1");
    expect(deliveryOf("whatsapp", {}, whatsApp([]))).toBeUndefined();
    expect(deliveryOf("whatsapp", {}, { entry: "text" })).toBeUndefined();
    expect(deliveryOf("slack", { "idempotency-key": "k" }, { event_id: "" })).toBeUndefined();
    expect(deliveryOf("bearer", { "idempotency-key": "k" }, "text")).toBe("k");
    expect(deliveryOf("none", {}, { id: 1 })).toBeUndefined();
    expect(deliveryOf("stripe", {}, Object.create({ id: "inherited" }))).toBeUndefined();
  });

  it("S74 is never what anybody could change beside a signature", () => {
    const unsigned = { "idempotency-key": "k", "webhook-id": "w" };
    for (const scheme of hookSchemes) {
      const number = deliveryOf(scheme, unsigned, {});
      const isSigned = scheme === "standard" || hookSchemeFacts[scheme].signs === "nothing";
      expect([scheme, number]).toEqual([scheme, isSigned ? (scheme === "standard" ? "w" : "k") : undefined]);
    }
  });

  it("S43 headers that prove who sends are known", () => {
    for (const name of ["authorization", "cookie", "x-api-key"]) expect(provesSender("none", name)).toBe(true);
    expect(provesSender("telegram", "x-telegram-bot-api-secret-token")).toBe(true);
    expect(provesSender("github", "x-github-event")).toBe(false);
  });
});

it("S74 one signature of Standard Webhooks is one delivery: an id that may hold the time is refused", async () => {
  const secret = newStandardSecret();
  const refused = async (
    id: string,
    timestamp: number,
    body: string,
    read: { id: string; at: number; body: string },
  ) => {
    const headers = await standardHeaders([secret], { id, timestamp, body });
    const as = { ...headers, "webhook-id": read.id, "webhook-timestamp": String(read.at) };
    return refuseHook("standard", [secret], { headers: as, body: bytesOf(read.body) }, read.at);
  };
  const at = 1_700_000_000;
  expect(await refused("evt.abc", at, "{}", { id: "evt.abc", at, body: "{}" })).toBeUndefined();
  // The same signed text, read with another id.
  expect(await refused("a", at, `${at + 9}.5`, { id: `a.${at}`, at: at + 9, body: "5" })).toBe("signature");
  expect(await refused(`a.${at}`, at + 9, "5", { id: `a.${at}`, at: at + 9, body: "5" })).toBe("signature");
});

it("hexadecimal text is read strictly", () => {
  expect(fromHex("00ff")).toEqual(Uint8Array.from([0, 255]));
  for (const wrong of ["0", "0g", "0x00", " 00"]) expect(fromHex(wrong)).toBeUndefined();
  expect(toHex(joinParts("a", Uint8Array.from([1])))).toBe("6101");
});
