/** Parses source texts with the compiler's own parser. */
import type { Node, SourceFile } from "typescript/unstable/ast";
import { API } from "typescript/unstable/async";
import { createVirtualFileSystem } from "typescript/unstable/fs";

/** Visits the node and all nodes below it. */
export function walk(node: Node, visit: (node: Node) => void): void {
  visit(node);
  node.forEachChild((child) => walk(child, visit));
}

/** Parses all sources; the keys are their paths, with slashes. */
export async function parse(sources: ReadonlyMap<string, string>): Promise<Map<string, SourceFile>> {
  const root = "/src";
  const names = [...sources.keys()].map((path) => `${root}/${path}`);
  const config = { compilerOptions: { noLib: true, noResolve: true, types: [] }, files: names };
  const virtual: Record<string, string> = { "/tsconfig.json": JSON.stringify(config) };
  for (const [path, text] of sources) virtual[`${root}/${path}`] = text;
  const api = new API({ fs: createVirtualFileSystem(virtual) });
  try {
    const snapshot = await api.updateSnapshot({ openProject: "/tsconfig.json" });
    const project = snapshot.getProject("/tsconfig.json");
    const parsed = new Map<string, SourceFile>();
    for (const path of sources.keys()) {
      const file = await project?.program.getSourceFile(`${root}/${path}`);
      if (!file) throw new Error(`${path} could not be parsed`);
      parsed.set(path, file);
    }
    return parsed;
  } finally {
    await api.close();
  }
}
