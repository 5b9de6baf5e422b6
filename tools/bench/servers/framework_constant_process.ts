/**
 * Fastify with default settings: FrameworkConstantInput on standard input. It reports its address in the
 * same format as Postern.
 */
import { text } from "node:stream/consumers";
import fastify from "fastify";
import type { FrameworkConstantInput } from "./framework_constant.ts";

const { documents } = JSON.parse(await text(process.stdin)) as FrameworkConstantInput;
const app = fastify({ logger: false });
for (const [path, document] of Object.entries(documents)) {
  app.get(path, (_request, reply) => reply.type("application/json; charset=utf-8").send(document));
}
const url = await app.listen({ host: "127.0.0.1", port: 0 });
process.stdout.write(`${JSON.stringify({ msg: "listening", url })}\n`);
process.once("SIGTERM", () => app.close());
