import type { ImportWords } from "../en/imports.ts";
import { plural } from "./plural.ts";

export const importWords: ImportWords = {
  title: "Importar",
  lead: "Traiga usuarios, aplicaciones, organizaciones y proveedores de otro sistema. No se escribe nada antes de que vea qué se importaría y qué se perdería.",
  system: "Sistema",
  source: "Origen",
  sourceHelp:
    "De dónde proceden los usuarios: un nombre por cada realm o inquilino. Si se deja vacío, el nombre del sistema. Use el mismo origen al repetir una importación.",
  organization: "Organización (slug o ID)",
  organizationHelp:
    "Todos los usuarios del archivo pasan a ser miembros suyos, con los roles y grupos que contiene. Si se deja vacío, los usuarios solo se unen a las organizaciones del archivo.",
  file: "Archivo",
  fileHelp: (size) =>
    `JSON, NDJSON o CSV, ${size} como máximo. Para exportaciones mayores, varios archivos o un mapa, use postern import.`,
  pasted: "O pegue el contenido del archivo",
  check: "Comprobar el archivo",
  kept: "El archivo se guarda cifrado y se elimina tras la importación, al descartarlo o después de un día.",
  incomplete: "Elija un sistema y un archivo, o pegue su contenido.",
  wrongSource: "Escriba el origen con letras minúsculas, dígitos, puntos y guiones.",
  tooLarge: (size) => `El archivo supera ${size}. Use postern import.`,
  unreadable: (reason) => `No se puede leer el archivo: ${reason}.`,
  noOrganization: "Ni el servidor ni el archivo tienen una organización con este slug o ID. Créela primero.",
  notOfSystem: (system) => `El archivo no parece una exportación de ${system}.`,
  ofOtherSystem: (system, likely) => `El archivo no parece una exportación de ${system}, sino de ${likely}.`,
  phase: {
    checking: "Comprobando",
    checked: "Comprobado: todavía no se ha escrito nada",
    importing: "Importando",
    imported: "Importado",
    failed: "La importación falló",
    stopped: "La importación se interrumpió",
  },
  progress: (done, total) => `${done} de ${total} usuarios`,
  refreshes: "Esta página se actualiza sola.",
  failedLead: (reason) =>
    `Motivo: ${reason}. Los usuarios importados permanecen; repetir la importación añade el resto.`,
  stoppedLead: "Los usuarios importados permanecen; continúe para importar el resto.",
  apply: "Importar",
  goOn: "Continuar",
  discard: "Descartar el archivo",
  users: "Usuarios",
  created: "creados",
  updated: "actualizados",
  planned: { created: "por crear", updated: "por actualizar" },
  unchanged: "sin cambios",
  refused: "rechazados",
  memberships: "Membresías",
  records: "Aplicaciones, organizaciones, roles, grupos y proveedores",
  stay: (figure) => `${figure} quedan como están`,
  losses: "Pérdidas",
  noLosses: "No se pierde nada.",
  lossesFile: "Descargar losses.csv",
  kind: "Tipo y motivo",
  count: "Cantidad",
  applications: "Cambios en cada aplicación",
  applicationsLead:
    "Cada aplicación conserva su client_id y debe configurarse con el emisor de este servidor. Sus usuarios inician sesión una vez más. Si una aplicación no tiene secreto en el archivo, añada uno en su página.",
  nothingElse: "ningún otro cambio",
  otherSubjects: plural({
    one: (figure) =>
      `${figure} usuario recibe otro sub: las aplicaciones deben reconocerlo por su correo electrónico.`,
    other: (figure) =>
      `${figure} usuarios reciben otro sub: las aplicaciones deben reconocerlos por su correo electrónico.`,
  }),
  runs: "Importaciones anteriores desde esta página",
  noRuns: "Ninguna",
  when: "Hora",
  by: "Por",
};
