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

Gives 60 kB of hostile text to every header, query member and form member of every route, and measures the
processor time of each answer. Then 20 callers at a time send 60 kB and hang up while /healthz is asked.
Ends with 1 where an answer costs more than 20 times an ordinary one of its route and 15 ms, where one is a
5xx, or where the p99 of /healthz is more than 5 times that of a quiet server.

  --path   routes that begin so
  --every  sends one of so many requests
`);
} else {
  const every = Number(values.every);
  const figures = await hostile(await hostileFixture(), {
    routes: ({ path }) => path.startsWith(values.path),
    chosen: (at) => at % every === 0,
  });
  const health = await hangUps();
  const isSlow = health.p99 > mostTimesOfHealth * health.quiet_p99;
  process.stdout.write(`${figures.requests} requests to ${figures.routes} routes; the dearest:
${figures.dearest.slice(0, 10).map(line).join("\n")}
Too dear: ${figures.excesses.length}
${figures.excesses.map(line).join("\n")}
Failed: ${figures.failed.length}
${figures.failed.join("\n")}
/healthz: p99 ${health.quiet_p99.toFixed(1)} ms on a quiet server, ${health.p99.toFixed(1)} ms while callers hang up, at most ${health.slowest.toFixed(1)} ms
`);
  process.exit(figures.excesses.length > 0 || figures.failed.length > 0 || isSlow ? 1 : 0);
}
