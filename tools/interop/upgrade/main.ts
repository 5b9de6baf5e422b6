/**
 * `npm run drill:upgrade`: runs `upgrade_beside.long.test.ts` with any earlier commit and for a longer time.
 */
import { parseArgs } from "node:util";
import { firstBeside } from "../../../test/storage/released/releases.ts";
import { postgresDatabase } from "../../../test/support/postgres.ts";
import { runBeside } from "./run_beside.ts";

const usage = `Runs an earlier and the current server on one PostgreSQL database under load, while the current server migrates it.

npm run drill:upgrade -- [--from COMMIT] [--rounds N] [--clients N]

  --from COMMIT  the earlier version (default: the first one that can run at the same time as its successor)
  --rounds N     rounds of load in each phase (50)
  --clients N    concurrent chains of requests (8)
`;

const { values } = parseArgs({
  options: {
    from: { type: "string", default: firstBeside.commit },
    rounds: { type: "string", default: "50" },
    clients: { type: "string", default: "8" },
    help: { type: "boolean", default: false },
  },
});

if (values.help) process.stdout.write(usage);
else {
  const { url, drop } = await postgresDatabase();
  const report = await runBeside({
    ...{ commit: values.from, database_url: url },
    ...{ rounds: Number(values.rounds), clients: Number(values.clients) },
  });
  await drop();
  process.stdout.write(`${JSON.stringify(report, null, 2)}\n`);
  process.exit(report.errors.length === 0 ? 0 : 1);
}
