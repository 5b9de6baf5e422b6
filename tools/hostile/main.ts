/** `npm run hostile`. */
import { parseArgs } from "node:util";
import { hostileFixture } from "./fixture.ts";
import { hangUps, mostTimes as mostTimesOfHealth } from "./hang_ups.ts";
import { type Excess, hostile } from "./hostile.ts";

const { values } = parseArgs({
  options: {
    help: { type: "boolean", default: false },
    path: { type: "string", default: "" },
    every: { type: "string", default: "1" },
  },
});

const line = ({ method, path, place, text, cost, ordinary }: Excess) =>
  `${cost.toFixed(1)} ms, ordinary ${ordinary.toFixed(1)} ms: ${method} ${path}, ${place}: ${text}`;

if (values.help) {
  process.stdout.write(`npm run hostile -- [--path /login] [--every 1]

Sends 60 kB of hostile text as the value of each header, query parameter and form field of every route, and measures
the processor time of each response. Then 20 clients at a time send 60 kB and disconnect, while the response time of
/healthz is measured.
Exits with 1 if a response takes more than 15 ms and more than 20 times as long as an ordinary response of its route,
if a response has a 5xx status, or if the p99 of /healthz is more than 5 times that on an idle server.

  --path   only routes whose path begins with this text
  --every  send only every N-th request
`);
} else {
  const every = Number(values.every);
  const figures = await hostile(await hostileFixture(), {
    routes: ({ path }) => path.startsWith(values.path),
    chosen: (at) => at % every === 0,
  });
  const health = await hangUps();
  const isSlow = health.p99 > mostTimesOfHealth * health.quiet_p99;
  process.stdout.write(`${figures.requests} requests to ${figures.routes} routes; the most expensive:
${figures.dearest.slice(0, 10).map(line).join("\n")}
Over the limit: ${figures.excesses.length}
${figures.excesses.map(line).join("\n")}
Failed: ${figures.failed.length}
${figures.failed.join("\n")}
/healthz: p99 ${health.quiet_p99.toFixed(1)} ms on an idle server, ${health.p99.toFixed(1)} ms while clients disconnect, at most ${health.slowest.toFixed(1)} ms
`);
  process.exit(figures.excesses.length > 0 || figures.failed.length > 0 || isSlow ? 1 : 0);
}
