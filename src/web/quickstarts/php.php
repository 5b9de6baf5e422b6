<?php
require __DIR__ . '/vendor/autoload.php';

use Jumbojett\OpenIDConnectClient;

session_start();

$oidc = new OpenIDConnectClient(
    getenv('OAUTH_ISSUER'),
    getenv('OAUTH_CLIENT_ID'),
    getenv('OAUTH_CLIENT_SECRET') ?: null
);
$oidc->setRedirectURL(getenv('OAUTH_REDIRECT_URI'));
$oidc->addScope(array_diff(explode(' ', getenv('OAUTH_SCOPE')), ['openid']));
$oidc->setCodeChallengeMethod('S256');

// Sends the browser away at first, and takes the answer when it comes back.
$oidc->authenticate();

$claims = $oidc->getVerifiedClaims();
session_regenerate_id(true);
echo '<p>Signed in as ', htmlspecialchars($claims->name ?? $claims->sub), '</p>';
