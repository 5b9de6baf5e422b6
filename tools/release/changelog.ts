/** The sections of `CHANGELOG.md`, newest first. */

export interface Section {
  readonly version: string;
  readonly unreleased: boolean;
  readonly text: string;
}

const heading = /^## (?<version>\S+)(?<unreleased> \(unreleased\))?$/;

export function sectionsOf(changelog: string): readonly Section[] {
  return changelog.split(/^(?=## )/m).flatMap((part) => {
    const [first = "", ...lines] = part.split("\n");
    const { version, unreleased } = heading.exec(first)?.groups ?? {};
    if (version === undefined) return [];
    return [{ version, unreleased: unreleased !== undefined, text: lines.join("\n").trim() }];
  });
}

/** Returns the changelog with this version's section marked as released. */
export function withReleased(changelog: string, version: string): string {
  return changelog.replace(`## ${version} (unreleased)\n`, `## ${version}\n`);
}
