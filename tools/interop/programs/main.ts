/**
 * `npm run interop:programs -- [NAME…]`: programs of other projects sign in at this server, refresh
 * concurrently, and sign out. Without names, it runs those whose requirements the machine meets, and
 * lists the others; a named program without its requirements fails.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { parseArgs } from "node:util";
import { allPrograms } from "./all_programs.ts";
import { missingOf } from "./program.ts";

const { positionals: named, values } = parseArgs({
  allowPositionals: true,
  options: { help: { type: "boolean", short: "h" } },
});
const names = allPrograms.map(({ name }) => name);
const unknown = named.filter((name) => !names.includes(name));

if (values.help === true || unknown.length > 0) {
  const problem = unknown.length > 0 ? [`There is no program ${unknown.join(", ")}.`] : [];
  const usage = ["npm run interop:programs -- [NAME…]", ...names.map((name) => `  ${name}`)];
  process.stderr.write([...problem, ...usage, ""].join("\n"));
  process.exitCode = unknown.length > 0 ? 2 : 0;
} else {
  for (const program of allPrograms) {
    const { name } = program;
    if (named.length > 0 && !named.includes(name)) continue;
    const missing = await missingOf(program);
    if (missing === undefined) test(name, (context) => program.run(context));
    else if (named.length > 0) test(name, () => assert.fail(`${name} cannot run: ${missing}`));
    else test(name, { skip: `not run: ${missing}` }, () => {});
  }
}
