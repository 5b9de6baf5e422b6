import type { ListWords } from "../en/lists.ts";
import { inSentence } from "../parts/in_sentence.ts";
import { plural } from "./plural.ts";

export const listWords: ListWords = {
  selected: "Con lo seleccionado:",
  select: "Seleccionar",
  selectOne: (name) => `Seleccionar ${name}`,
  presets: {
    label: "Lo más consultado",
    sign_ins: "Inicios de sesión",
    failed_sign_ins: "Inicios de sesión fallidos",
    changes: "Cambios",
    failures: "Fallos",
    tokens: "Tokens emitidos",
    hour: "Última hora",
    day: "Últimas 24 horas",
    week: "Últimos 7 días",
  },
  total: {
    of: (range, total) => `${range} de ${total}`,
    more: (figure) => `más de ${figure}`,
  },
  previousPage: "Anterior",
  nextPage: "Siguiente",
  pageLength: "Por página",
  sorted: {
    label: "Ordenar por",
    ascending: (label) => `${label}, ascendente`,
    descending: (label) => `${label}, descendente`,
  },
  exported: {
    label: "Exportar",
    csv: "Archivo CSV",
    jsonl: "Archivo JSON por líneas",
    help: (most) => `Todos los registros que cumplen los filtros, ${most} como máximo.`,
  },
  many: {
    title: {
      delete: (count, kind) => `¿Eliminar ${count} ${inSentence(kind)}?`,
      revoke: (count, kind) => `¿Revocar ${count} ${inSentence(kind)}?`,
      switch_off: (count, kind) => `¿Desactivar ${count} ${inSentence(kind)}?`,
    },
    addedUp: "Se suman las cifras de todos los registros, así que una persona puede contarse más de una vez.",
    records: plural({ one: (figure) => `${figure} registro`, other: (figure) => `${figure} registros` }),
    notDone: "No es posible con estos",
    record: "Registro",
    reason: "Motivo",
    why: {
      already: "Ya ha terminado.",
      failed: "El servidor ha fallado. El registro del servidor dice por qué.",
    },
    back: "Volver a la lista",
    done: {
      delete: (done, all, many) => `${many}: ${done} de ${all} eliminados`,
      revoke: (done, all, many) => `${many}: ${done} de ${all} revocados`,
      switch_off: (done, all, many) => `${many}: ${done} de ${all} desactivados`,
    },
    doneRecords: "Hecho",
  },
};
