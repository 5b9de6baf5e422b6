import type { RefusalWords } from "../en/refusal.ts";
import { evidenceWords, factWords } from "./evidence.ts";
import { plural } from "./plural.ts";

export const refusalWords: RefusalWords = {
  title: (short_id) => `Rechazo ${short_id}`,
  facts: {
    description: "Mensaje al solicitante",
    endpoint: "Punto de acceso",
    app: "Aplicación",
    user: "Usuario con sesión",
    when: "Cuándo",
    until: "Se guarda hasta",
    from: "Dirección IP",
    agent: "Navegador o programa",
    request: "Solicitud",
    id: "ID del registro",
  },
  nothingMore: "No se registraron más detalles.",
  unknownKind: "Un valor no era como se esperaba",
  received: "Recibido",
  expected: "Esperado",
  nothing: "nada",
  notShown: "no se muestra, porque puede ser secreto",
  differsFrom: (position) => `Difiere a partir del carácter ${position}.`,
  endsEarly: "El valor recibido termina antes.",
  endsLate: "El valor recibido tiene caracteres de más al final.",
  sameAsShown: "Hasta donde se guarda, ambos son iguales.",
  beyond: (names) => `No está entre lo esperado: ${names}.`,
  lacking: (names) => `Falta: ${names}.`,
  characters: plural({
    one: (figure) => `${figure} carácter`,
    other: (figure) => `${figure} caracteres`,
  }),
  range: (least, most) => `de ${least} a ${most}`,
  atMost: "como mucho",
  todo: "Qué hacer",
  unknown: {
    title: "Rechazo no encontrado",
    lead: "No puedes ver ningún rechazo con esta referencia. Posibles motivos:",
    reasons: {
      mistyped: "se escribió o copió mal",
      expired: "ha caducado: los rechazos se guardan solo unos días",
      flood: "no se guardó porque en ese momento se rechazaban demasiadas solicitudes",
      elsewhere:
        "pertenece a una aplicación que no gestionas, o a ninguna; pueden verlo los administradores de la plataforma",
    },
    list: "Todos los rechazos que puedes ver",
  },
  kinds: evidenceWords,
  receivedFacts: factWords,
};
