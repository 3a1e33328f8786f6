"""Words that carry no subject, by language: articles, pronouns, prepositions, auxiliaries.

Also what `\\w+` leaves of contractions ("don't" -> don, t). One-letter words need no entry.
"""

from __future__ import annotations

_EN = """
a about above across after again against all almost along already also although always am among an
and another any anyone anything are aren around as at away back be became because become been
before behind being below between both but by came can cannot could couldn did didn do does doesn
doing don done down during each either else enough etc even ever every everyone everything for from
further get gets getting go goes going got had hadn has hasn have haven having he her here hers
herself him himself his how however if in instead into is isn it its itself just ll let like made
make makes many may maybe me might more most much must my myself neither never no nobody none nor
not nothing now of off often on once one only onto or other others our ours ourselves out over own
per perhaps put rather re really said same say says she should shouldn since so some someone
something soon still such than that the their theirs them themselves then there therefore these
they this those though through thus to together too toward towards under until unto up upon us ve
very via was wasn we well were weren what whatever when where whether which while who whoever whole
whom whose why will with within without won would wouldn yet you your yours yourself
"""
_FR = """
afin ai aie ainsi alors après as au aucun aucune aujourd aura aurait auront aussi autre autres aux
avaient avait avant avec avez avoir avons ayant beaucoup bien car ce ceci cela celle celles celui
ces cet cette ceux chaque chez ci comme comment contre dans de depuis des dès desquelles desquels
deux devant dont donc du duquel durant elle elles en encore enfin entre envers es est et étaient
était étant été être eu eux fait faire font furent fut hors ici il ils je jusqu jusque la là
laquelle le lequel les lesquelles lesquels leur leurs lors lorsqu lorsque lui ma mais mal malgré me
même mêmes mes mieux moi moins mon ne ni non nos notre nôtre nous on ont or ou où par parce parmi
pas pendant peu peut peuvent plus plusieurs plutôt pour pourquoi près puis puisque qu quand que quel
quelle quelles quelque quelques quels qui quoi sa sans sauf se selon sera serait seront ses si sien
sienne soi soit sommes son sont sous souvent suis sur ta tandis te tel telle telles tels tes toi ton
toujours tous tout toute toutes très trop tu un une vers voici voilà vos votre vôtre vous vu
"""
_NL = """
aan achter al alle alleen alles als altijd ander andere anders ben bent bij bijna binnen boven
buiten daar daarbij daarin daarmee daarna daarom daarvan daarvoor dan dat de deze die dit doch doen
door dus echter een één eens en enige enkele er erg ervan ervoor even ge geen gehad geweest geworden
haar had hadden heb hebben hebt heeft heel hem hen het hier hierbij hij hoe hoewel hun iedere ieder
iemand iets ik in indien is ja je jij jou jouw jullie kan kon konden kunnen maar mag meer men met
mij mijn misschien moest moet moeten na naar naast nadat nee niemand niet niets nog noch nu of om
omdat ondanks onder ons onze ook op over reeds sinds slechts sommige soms te tegen ten ter terwijl
tijdens toch toen tot tussen uit uw van vanaf vanuit vaak veel via voor vooral waar waarbij waarin
waarna waarom waarvan wanneer want waren was wat we weer wel welk welke werd werden wie wij wil
willen word worden wordt zal ze zeer zelf zich zij zijn zo zoals zonder zou zouden zowel zullen
"""
_DE = """
ab aber alle allem allen aller alles als also am an andere anderem anderen anderer anderes auch auf
aus bei beim bereits bevor bin bis bist da dabei dadurch dafür dagegen daher damit danach dann daran
darauf darf darin darüber das dass daß davon davor dazu dein deine dem den denen denn dennoch der
deren des deshalb dessen die dies diese diesem diesen dieser dieses doch dort du durch dürfen ein
eine einem einen einer eines einige einigen einmal er erst es etwa etwas euch euer für gegen gehabt
gewesen geworden hab habe haben hat hatte hatten hier hin hinter ich ihm ihn ihnen ihr ihre ihrem
ihren ihrer ihres im immer in indem ins ist ja jede jedem jeden jeder jedes jedoch jene jener jetzt
kann kein keine keinem keinen keiner können konnte konnten lassen man manche mehr mein meine mich
mir mit muss müssen musste nach nachdem neben nein nicht nichts noch nun nur ob oder ohne schon sehr
seien sein seine seinem seinen seiner seines seit selbst sich sie sind so sogar solche solchen
soll sollen sollte sondern sonst sowie über um und uns unser unsere unter viel viele vom von vor
während war waren warum was weg weil weiter welche welchem welchen welcher welches wenn wer werde
werden wie wieder will wir wird wo wollen worden wurde wurden würde würden zu zum zur zwar zwischen
"""
_ES = """
además ahora al algo alguna algunas alguno algunos allí ante antes apenas aquel aquella aquellas
aquellos aquí así aún aunque bajo bien cada casi como cómo con contra cual cuales cualquier cuando
cuándo cuanto cuya cuyo de del desde después donde dónde dos durante el él ella ellas ello ellos en
entonces entre era eran eres es esa esas ese eso esos esta está estaba estaban estado están estar
estas este esto estos fue fueron fui gran ha haber había habían habido han has hasta hay haya he
hemos hubo incluso jamás junto la las le les lo los luego mas más me mediante menos mi mí mientras
mis misma mismas mismo mismos mucha muchas mucho muchos muy nada nadie ni ningún ninguna ninguno no
nos nosotros nuestra nuestras nuestro nuestros nunca os otra otras otro otros para pero poca poco
pocos por porque pues puede pueden que qué quien quién quienes salvo se sea sean según ser será
serán si sí sido siempre sin sino sobre sola solo sólo son su sus suya suyo tal también tampoco tan
tanto te tener ti tiene tienen toda todas todavía todo todos tras tu tú tus un una unas uno unos
usted ustedes va vosotros y ya yo
"""

STOP_WORDS: dict[str, frozenset[str]] = {
    language: frozenset(words.split())
    for language, words in {"en": _EN, "fr": _FR, "nl": _NL, "de": _DE, "es": _ES}.items()
}
