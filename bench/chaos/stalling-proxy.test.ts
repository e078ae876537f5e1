import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { afterEach, expect, it } from "vitest";
import { type StallingProxy, startStallingProxy } from "./stalling-proxy.ts";

const open: { destroy(): void }[] = [];
let proxy: StallingProxy | undefined;
afterEach(async () => {
  for (const socket of open.splice(0)) socket.destroy();
  await proxy?.stop();
});

it("holds everything back while it stalls, also for connections that are new, and then passes it on", async () => {
  const arrived: string[] = [];
  const server = createServer((socket: Socket) => {
    open.push(socket);
    socket.on("data", (data) => {
      arrived.push(data.toString());
      socket.write(`${data.toString()}!`);
    });
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const address = server.address();
  proxy = await startStallingProxy(typeof address === "object" && address ? address.port : 0);
  const client = async () => {
    const socket = connect(proxy?.port ?? 0, "127.0.0.1");
    open.push(socket);
    await once(socket, "connect");
    return socket;
  };
  const say = async (socket: Socket, text: string) => {
    socket.write(text);
    const [answer]: unknown[] = await once(socket, "data");
    return String(answer);
  };
  const early = await client();
  expect(await say(early, "one")).toBe("one!");
  proxy.stall();
  const late = await client();
  const answers = [say(early, "two"), say(late, "three")];
  // A way around the proxy is served meanwhile.
  const direct = connect(typeof address === "object" && address ? address.port : 0, "127.0.0.1");
  open.push(direct);
  expect(await say(direct, "four")).toBe("four!");
  expect(arrived).toEqual(["one", "four"]);
  proxy.flow();
  expect(await Promise.all(answers)).toEqual(["two!", "three!"]);
  server.close();
});
