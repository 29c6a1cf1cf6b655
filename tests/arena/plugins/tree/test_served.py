"""The tree as the server offers it."""

from served import client_of


def test_the_form_holds_what_the_address_says():
    with client_of(None) as client:
        form = client.get("/tree", params={"moves": "44", "board": "5x4"}).text
    assert 'name="moves" value="44"' in form
    assert 'name="board" value="5x4x4"' in form
