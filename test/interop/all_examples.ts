/** `npm run interop:examples`: somebody signs in at each website of `examples/`; Python and Go are needed. */
import { describe, test } from "node:test";
import { allExamples } from "../../examples/all_examples.ts";
import { signInAtExample } from "./example_sign_in.ts";

describe("the websites of examples/", () => {
  for (const { name, callback } of allExamples)
    if (callback === "/callback") test(`${name} signs somebody in and out`, () => signInAtExample(name));
});
