/** Loaded before a test file: replaces the `test` of `node:test` by the repeating one. */
import { registerHooks } from "node:module";

const stand_in = new URL("./node_test.ts", import.meta.url).href;

registerHooks({
  resolve(specifier, context, next) {
    const isTestFile = context.parentURL?.endsWith(".test.ts") === true;
    if (specifier === "node:test" && isTestFile) return { url: stand_in, shortCircuit: true };
    return next(specifier, context);
  },
});
