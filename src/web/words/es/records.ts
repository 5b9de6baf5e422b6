import { html } from "../../html.ts";
import type { RecordWords } from "../en/records.ts";
import { inSentence } from "../in_sentence.ts";
import { plural } from "./plural.ts";

const counted = (one: string, other: string) =>
  plural({ one: (figure) => `${figure} ${one}`, other: (figure) => `${figure} ${other}` });

export const recordWords: RecordWords = {
  done: {
    created: (one) => `${one}: creación completada.`,
    changed: "Se han guardado los cambios.",
    unchanged: "No había cambios que guardar.",
    deleted: (one) => `${one}: eliminación completada.`,
    revoked: (one) => `${one}: revocación completada.`,
    switched_off: (one) => `${one}: desactivación completada.`,
    switched_on: (one) => `${one}: activación completada.`,
    none_selected: "No se seleccionó nada.",
    too_many_selected: "Se seleccionaron demasiados registros: 200 a la vez como máximo.",
  },
  state: {
    active: "Activo",
    inactive: "Desactivado",
    revoked: "Revocado",
    expired: "Caducado",
    ended: "Terminado",
    used: "Usado",
  },
  heldOff: "Lo desactivó un administrador de la plataforma. Solo uno puede volver a activarlo.",
  fromDocument:
    "El client_id es la dirección de un documento. La aplicación está registrada aquí, así que el documento no se lee: lo que cambie allí hay que cambiarlo aquí.",
  cameByItself:
    "Nadie registró aquí este cliente. Su nombre, su logotipo y sus direcciones son lo que dice de sí mismo.",
  formerMember: {
    follows: (field: string) =>
      `metadata nombra ${field}, que ahora es un miembro propio: se sigue leyendo. Quítalo de metadata cuando todos los programas den el miembro.`,
    apart: (field: string) => `metadata dice de ${field} otra cosa que el miembro. Cuenta el miembro.`,
  },
  stateLabel: "Estado",
  yes: "Sí",
  no: "No",
  any: "Cualquiera",
  notChosen: "Sin elegir",
  unit: "Unidad",
  units: { s: "segundos", min: "minutos", h: "horas", d: "días" },
  suggestions: {
    add: "Buscar y añadir",
    none: "Sin coincidencias",
    count: counted("sugerencia", "sugerencias"),
    further: plural({
      one: (figure) => `${figure} sugerencia, y más: sigue escribiendo`,
      other: (figure) => `${figure} sugerencias, y más: sigue escribiendo`,
    }),
  },
  search: "Buscar",
  filters: "Más filtros",
  clear: "Borrar filtros",
  pages: "Páginas",
  firstPage: "Primera página",
  nextPage: "Página siguiente",
  create: (one) => `Crear ${inSentence(one)}`,
  empty: (many) => `Aún no hay ${inSentence(many)}`,
  emptyCreate: "Crea lo primero y aparecerá aquí.",
  emptyWait: "En cuanto haya algo, aparecerá aquí.",
  narrowed: "Sin resultados",
  narrowedLead: "Quita un filtro o busca otra parte del nombre.",
  facts: "Datos",
  parts: (name) => `Partes de ${name}`,
  showAll: "Ver todo",
  all: (many) => `Ver todo: ${inSentence(many)}`,
  danger: "Zona de peligro",
  dangerLead: "Verás qué se ve afectado antes de confirmar.",
  noneRelated: "Aún no hay",
  asJson: "Mostrar como JSON",
  asText: "Mostrar el texto",
  edit: "Editar",
  revoke: "Revocar",
  delete: "Eliminar",
  save: "Guardar",
  saveNew: "Crear",
  cancel: "Cancelar",
  editing: (name) => `Editar ${name}`,
  required: "obligatorio",
  faultsLead: "No se ha guardado nada. Corrige estos campos:",
  changedTitle: "Otra persona ha cambiado este registro entretanto.",
  changedLead:
    "El formulario contiene lo que escribiste. Si lo guardas, sustituye lo que esa persona escribió.",
  groups: {
    about: "Descripción",
    sign_in: "Inicio de sesión",
    tokens: "Duración de los tokens",
    access: "Acceso",
    client_authentication: "Autenticación del cliente",
    id_tokens: "Tokens de identidad (ID tokens)",
    advanced: "Avanzado",
  },
  consequence: {
    title: {
      delete: (name) => `¿Eliminar ${name}?`,
      revoke: (name) => `¿Revocar ${name}?`,
      switch_off: (name) => `¿Desactivar ${name}?`,
      change: (name) => `¿Cambiar ${name}?`,
    },
    lead: {
      delete: "Esto no se puede deshacer.",
      revoke: "Esto no se puede deshacer.",
      switch_off: "Se puede activar de nuevo. Lo que termina ahora no se puede restaurar.",
      change: "Lo que termina ahora no se puede restaurar.",
    },
    effects: "También se ve afectado",
    nothing: "Nada más se ve afectado.",
    confirm: (text) => html`Escribe ${text} para confirmar`,
    confirmWrong: "No coincide. Escríbelo exactamente como se muestra.",
    keep: "Cancelar",
    act: { delete: "Eliminar", revoke: "Revocar", switch_off: "Desactivar", change: "Cambiar" },
  },
  signedOut: counted("persona pierde su sesión en ella", "personas pierden su sesión en ella"),
  made: {
    title: (one) => `${one}: creación completada`,
    caution: "Cópialo ahora. No volverás a verlo.",
    goOn: (name) => `Continuar a ${name}`,
  },
};
