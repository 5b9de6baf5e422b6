import type { ProviderFindingSentences } from "../parts/sentences.ts";
import { fieldLabels } from "./field_labels.ts";

export const providerFindings: ProviderFindingSentences = {
  expected: (value) => `se esperaba ${value}`,
  received: (value) => `se recibió ${value}`,
  sentences: {
    address: ({ address }) => address,
    lacks: ({ members }) => `al registro le falta ${members.join(", ")}`,
    proves_itself: "el cliente puede identificarse",
    secret_not_opened:
      "la clave secreta de este servidor no abre el secreto guardado; indica el secreto de nuevo",
    published_by: ({ address }) => `publicado por ${address}`,
    stated_for: ({ address }) => `indicado aquí para ${address}`,
    algorithms_not_accepted: ({ published, accepted }) =>
      `los id_tokens se firman con ${published.join(", ")}; se aceptan ${accepted.join(", ")}`,
    public_keys: ({ count }) => `claves públicas: ${count}`,
    s256_sent: "se envía S256",
    s256_sent_and_taken: "se envía S256 y el proveedor publica que lo acepta",
    s256_not_taken: "se envía S256; el proveedor publica que no lo acepta",
    no_time: "la respuesta del proveedor no trae la cabecera Date",
    clocks_differ: ({ seconds, most }) =>
      `los relojes difieren en ${seconds} segundos; se aceptan hasta ${most}`,
    no_nonce: ({ provider }) =>
      `${provider} no devuelve nonce: solo el código une el id_token a este inicio de sesión, mediante el secreto del cliente y una dirección de retorno propia`,
    pkce_refused: ({ provider }) =>
      `${provider} rechaza PKCE: protegen el código el state, el secreto del cliente y una dirección de retorno propia`,
    pkce_switched_off:
      "PKCE está desactivado: protegen el código el state, el secreto del cliente y una dirección de retorno propia",
    code_without_mail:
      "los usuarios nuevos necesitan un código por correo, pero el correo está desactivado: configura POSTERN_SMTP_URL o email_trust",
    timeout: "el proveedor no respondió a tiempo",
    unreachable: "no se puede llegar al proveedor",
    tls: "el certificado del proveedor no se puede verificar",
    address_refused: "el proveedor tiene una dirección con la que este servidor no se conecta",
    busy: "hay demasiadas peticiones de este servidor en curso con el proveedor",
    too_large: "el proveedor respondió con demasiados bytes",
    encoded: "el proveedor comprimió la respuesta sin que nadie lo pidiera",
    redirect: "el proveedor respondió con una redirección",
    status: "el proveedor respondió con un estado inesperado",
    not_json: "el proveedor respondió con algo que no es un objeto JSON",
    metadata_issuer: "el proveedor publica un documento de otro emisor",
    metadata_member:
      "el proveedor publica un documento al que le falta una dirección o que tiene una errónea",
    keys: "el proveedor no publica ningún conjunto de claves legible",
    not_configured: "al registro le falta un ajuste",
    private_address: ({ host }) =>
      `${host} no tiene dirección, o la que tiene no es pública; una privada debe estar en POSTERN_OUTBOUND_ALLOW, y un administrador de la plataforma debe activar aquí «${fieldLabels.internal}»`,
    other_fault: ({ field }) => `el proveedor respondió con un valor erróneo de ${field}`,
  },
};
