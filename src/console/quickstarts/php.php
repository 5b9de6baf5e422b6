<?php
require __DIR__ . '/vendor/autoload.php';

use Jumbojett\OpenIDConnectClient;
use Jumbojett\OpenIDConnectClientException;

session_start();

if (!isset($_SESSION['name'])) {
    $oidc = new OpenIDConnectClient(
        getenv('OAUTH_ISSUER'),
        getenv('OAUTH_CLIENT_ID'),
        getenv('OAUTH_CLIENT_SECRET') ?: null
    );
    $oidc->setRedirectURL(getenv('OAUTH_REDIRECT_URI'));
    $oidc->addScope(array_diff(explode(' ', getenv('OAUTH_SCOPE')), ['openid']));
    $oidc->setCodeChallengeMethod('S256');
    try {
        // Redirects to the server at first; after the user returns, verifies the response.
        $oidc->authenticate();
    } catch (OpenIDConnectClientException $exception) {
        http_response_code(400);
        exit('<p>Not signed in: ' . htmlspecialchars($exception->getMessage()) . '</p>');
    }
    $claims = $oidc->getVerifiedClaims();
    session_regenerate_id(true);
    $_SESSION['name'] = $claims->name ?? $claims->sub;
    // The response is valid only once, so the page is loaded again without it.
    header('Location: ' . getenv('OAUTH_REDIRECT_URI'));
    exit;
}

echo '<p>Signed in as ', htmlspecialchars($_SESSION['name']), '</p>';
