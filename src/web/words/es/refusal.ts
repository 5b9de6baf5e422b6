import type { RefusalWords } from "../en/refusal.ts";
import { evidenceWords, factWords } from "./evidence.ts";
import { plural } from "./plural.ts";

export const refusalWords: RefusalWords = {
  title: (short_id) => `Rechazo ${short_id}`,
  facts: {
    description: "Lo que se comunicó",
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
  nothingMore: "No se anotó nada más sobre ello.",
  unknownKind: "Algo no era como se esperaba",
  received: "Recibido",
  expected: "Esperado",
  nothing: "nada",
  notShown: "no se muestra, porque puede ser secreto",
  differsFrom: (position) => `Difiere a partir del carácter ${position}.`,
  endsEarly: "Lo recibido termina antes.",
  endsLate: "Lo recibido continúa donde termina lo esperado.",
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
    title: "Aquí no hay tal rechazo",
    lead: "Con esta referencia no se guarda nada que puedas ver. Puede deberse a lo siguiente:",
    reasons: {
      mistyped: "se escribió o copió mal",
      expired: "ha caducado: los rechazos se guardan solo unos días",
      flood: "llegó cuando se rechazaban demasiadas solicitudes para guardarlas todas",
      elsewhere:
        "afecta a una aplicación que gestionan otros, o a ninguna: entonces pueden verlo los administradores de la plataforma",
    },
    list: "Todos los rechazos que puedes ver",
  },
  kinds: evidenceWords,
  receivedFacts: factWords,
};
