import { html } from "../../html.ts";
import type { RecordWords } from "../en/records.ts";
import { inSentence } from "../in_sentence.ts";
import { plural } from "./plural.ts";

const counted = (one: string, other: string) =>
  plural({ one: (figure) => `${figure} ${one}`, other: (figure) => `${figure} ${other}` });

export const recordWords: RecordWords = {
  done: {
    created: "Se ha creado.",
    changed: "Se han guardado los cambios.",
    unchanged: "No había diferencias, así que nada ha cambiado.",
    deleted: "Se ha eliminado.",
    revoked: "Se ha revocado.",
    switched_off: "Se ha desactivado.",
    switched_on: "Se ha activado de nuevo.",
    none_selected: "No se seleccionó nada.",
    too_many_selected: "Se seleccionaron demasiados registros: 200 a la vez como máximo.",
  },
  state: {
    active: "En servicio",
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
  search: "Buscar",
  filters: "Más filtros",
  clear: "Quitar los filtros",
  pages: "Páginas",
  firstPage: "Primera página",
  nextPage: "Página siguiente",
  create: (one) => `Crear ${inSentence(one)}`,
  empty: (many) => `Aún no hay ${inSentence(many)}`,
  emptyCreate: "Crea lo primero y aparecerá aquí.",
  emptyWait: "En cuanto haya algo, aparecerá aquí.",
  narrowed: "Nada coincide",
  narrowedLead: "Quita un filtro o busca por el comienzo de una palabra.",
  facts: "Datos",
  parts: (name) => `Partes de ${name}`,
  showAll: "Ver todo",
  all: (many) => `Ver todo: ${inSentence(many)}`,
  danger: "Zona de peligro",
  dangerLead: "Antes de que algo termine, una página dice qué termina con ello.",
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
  faultsLead: "No se ha guardado nada. Revisa esto:",
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
      switch_off: "Se puede activar de nuevo, pero lo que termina ahora queda terminado.",
      change: "Lo que termina ahora queda terminado.",
    },
    effects: "Qué más termina",
    nothing: "Nada más termina con ello.",
    confirm: (text) => html`Escribe ${text} para confirmar`,
    confirmWrong: "Eso es otra cosa. Escríbelo exactamente como figura aquí.",
    keep: "Conservar",
    act: { delete: "Eliminar", revoke: "Revocar", switch_off: "Desactivar", change: "Cambiar" },
  },
  signedOut: counted("persona pierde su sesión en ella", "personas pierden su sesión en ella"),
  made: {
    title: (one) => `${one}: creación completada`,
    caution: "Se muestra esta única vez y nadie puede mostrarlo de nuevo. Guárdalo ahora donde haga falta.",
    goOn: (name) => `Continuar a ${name}`,
  },
};
