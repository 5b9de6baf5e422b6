/**
 * Loaded before each test file. Node's runner follows every promise and handle until it is collected, to find
 * the suite that declares a test and the test that threw an uncaught error: a tenth of the suite's processor
 * time. Here it follows only what suites begin while they declare. An uncaught error fails the file, and is
 * reported next to its results.
 */
import hooks, { type HookCallbacks } from "node:async_hooks";

const { createHook } = hooks;

function followSuites({ init }: HookCallbacks): ReturnType<typeof createHook> {
  const ofSuites = new Set<number>();
  return createHook({
    init(id, type, trigger, resource) {
      const isTest = type === "Test";
      const isOfSuite = isTest ? resource.constructor.name === "Suite" : ofSuites.has(trigger);
      if (isOfSuite) ofSuites.add(id);
      if (isTest || isOfSuite) init?.(id, type, trigger, resource);
    },
  });
}

// The runner makes its hook when it is loaded.
hooks.createHook = followSuites;
try {
  await import("node:test");
} finally {
  hooks.createHook = createHook;
}
