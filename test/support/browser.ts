/**
 * A real Chromium for the tests, from the npm package `@sparticuz/chromium`: it needs no system package, and
 * also runs as root.
 */
import { execFile } from "node:child_process";
import { existsSync, lstatSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { type Browser, chromium } from "playwright-core";
import { atEnd, atProcessEnd } from "./at_end.ts";

/** Names an installed Chromium or Chrome to use instead, for machines without a binary in the package. */
const executableVariable = "TEST_CHROMIUM";

/** Replaces the package's list of arguments, which disables the web security that the tests rely on. */
const launchArguments = ["--no-sandbox", "--no-zygote", "--disable-gpu", "--font-render-hinting=none"];

/**
 * Skips the drawing of frames, a third of the browser's work. Tests that wait for an element to stop moving
 * cannot use it, because without frames Playwright would wait forever.
 */
export const withoutFrames = ["--disable-threaded-compositing"];

const packageEntry = fileURLToPath(import.meta.resolve("@sparticuz/chromium"));
const archives = join(dirname(packageEntry), "..", "bin");

function packageVersion(): string {
  const description: { version: string } = createRequire(import.meta.url)(
    join(archives, "..", "package.json"),
  );
  return description.version;
}

function fontsConfiguration(folder: string): string {
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${join(folder, "fonts", "fonts")}</dir>
  <cachedir>${join(folder, "fonts-cache")}</cachedir>
</fontconfig>
`;
}

/** Unpacks the browser, the libraries it needs and its fonts into `folder`. */
async function unpack(folder: string): Promise<void> {
  // The package unpacks only into the temporary folder, and a separate process can be given another one.
  const script = `
    import { inflate } from ${JSON.stringify(import.meta.resolve("@sparticuz/chromium"))};
    await Promise.all(process.argv.slice(1).map((archive) => inflate(archive)));`;
  const paths = ["chromium.br", "fonts.tar.br", "al2023.tar.br"].map((name) => join(archives, name));
  await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", script, ...paths], {
    env: { ...process.env, TMPDIR: folder, TEMP: folder, TMP: folder },
  });
}

/**
 * Returns the folder of the unpacked browser. The first process on a machine unpacks about 210 MB for all
 * later ones; if two do so concurrently, the later one deletes its copy.
 */
async function unpackedBrowser(): Promise<string> {
  const owner = process.getuid?.() ?? "user";
  const folder = join(tmpdir(), `postern-chromium-${packageVersion()}-${owner}`);
  if (!existsSync(join(folder, "chromium"))) {
    const fresh = mkdtempSync(`${folder}-`);
    try {
      await unpack(fresh);
      writeFileSync(join(fresh, "fonts.conf"), fontsConfiguration(folder));
      mkdirSync(join(fresh, "fonts-cache"));
      renameSync(fresh, folder);
    } catch (error) {
      rmSync(fresh, { recursive: true, force: true });
      if (!existsSync(join(folder, "chromium"))) throw error;
    }
  }
  // Any user may create a folder of this name in a shared temporary folder; executed files must belong to
  // this user.
  if (process.getuid && lstatSync(folder).uid !== owner) throw new Error(`${folder} belongs to another user`);
  return folder;
}

/** Writes a configuration of fonts for the browser in this folder, and returns its path. */
export type FontsIn = (folder: string) => Promise<string>;

async function launch(fontsIn: FontsIn | undefined, further: readonly string[]): Promise<Browser> {
  const installed = process.env[executableVariable];
  const args = [...launchArguments, ...further];
  if (installed) return chromium.launch({ executablePath: installed, args });
  const folder = await unpackedBrowser();
  return chromium.launch({
    executablePath: join(folder, "chromium"),
    args,
    env: {
      ...process.env,
      FONTCONFIG_FILE: (await fontsIn?.(folder)) ?? join(folder, "fonts.conf"),
      LD_LIBRARY_PATH: join(folder, "al2023", "lib"),
    },
  });
}

let launched: Promise<Browser> | undefined;

/**
 * Returns the browser of the test process, which the first call starts and which is closed after the
 * process's last test. The first call determines fonts and further arguments. Pages that a file opened are
 * closed with the file.
 */
export function browser(fontsIn?: FontsIn, further: readonly string[] = []): Promise<Browser> {
  launched ??= launch(fontsIn, further);
  const requested = launched;
  atEnd(async () => {
    for (const context of (await requested).contexts()) await context.close();
  });
  return requested;
}

// Registered here and not by each caller, because an open browser keeps the test process alive.
atProcessEnd(async () => {
  await (await launched)?.close();
});
