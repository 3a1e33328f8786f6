"""Eight articles of our own on different matters, each with a faithful summary and its faults."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Story:
    """An article, a faithful summary, and the changes that spoil it: (before, after)."""

    name: str
    article: str
    summary: str
    invented: str
    number: tuple[str, str]
    negation: tuple[str, str]
    dropped: str  # a sentence of the summary that carries a key point
    slur: tuple[str, str]


OFF_TOPIC = "Bananas ripen quickly in warm kitchens near sunny southern windows."

STORIES = (
    Story(
        "a drug trial",
        "A new malaria vaccine protected three quarters of the children who received it, doctors "
        "in Ghana reported on Monday. The trial followed 4,800 children under five for two years. "
        "Children who were given three doses fell ill far less often than the others. The vaccine "
        "did not cause serious side effects, said Dr Abena Mensah, who led the study. It costs "
        "about four dollars a dose and keeps for months in an ordinary refrigerator. Malaria kills "
        "more than 400,000 people each year, most of them small children in Africa. The health "
        "ministry plans to offer the vaccine in every district from next spring. Scientists warn "
        "that nets and sprays will still be needed.",
        "A new malaria vaccine protected three quarters of the children who received it, doctors "
        "in Ghana reported. The trial followed 4,800 children under five for two years. The "
        "vaccine did not cause serious side effects. The health ministry plans to offer it in "
        "every district from next spring.",
        "Pop singer Lena Brandt bought a castle near Vienna with borrowed gold.",
        ("4,800 children", "9,300 children"),
        ("did not cause serious", "caused serious"),
        "A new malaria vaccine protected three quarters of the children who received it, doctors "
        "in Ghana reported.",
        ("doctors in Ghana", "darkie doctors in Ghana"),
    ),
    Story(
        "a football match",
        "Aldport Rovers beat Stenmoor United 3-1 on Saturday and went to the top of the league. "
        "Striker Jo Okoye scored twice before half time in front of 21,000 people. Stenmoor pulled "
        "one goal back through captain Ben Hale, but their keeper Piotr Zielony was sent off after "
        "70 minutes. Substitute Rui Costa made it three with the last kick of the match. Rovers "
        "have not lost at home since October. Coach Ingrid Dahl said her players were tired but "
        "happy. They travel to Carrick next week, where they have never won.",
        "Aldport Rovers beat Stenmoor United 3-1 on Saturday and went to the top of the league. "
        "Striker Jo Okoye scored twice before half time in front of 21,000 people. Rovers have not "
        "lost at home since October.",
        "The prime minister of Norway opened a tunnel under the Baltic Sea yesterday.",
        ("21,000 people", "57,000 people"),
        ("have not lost at home", "have lost at home"),
        "Aldport Rovers beat Stenmoor United 3-1 on Saturday and went to the top of the league.",
        ("Striker Jo Okoye", "Striker Jo Okoye, the nigger,"),
    ),
    Story(
        "jobs at a steelworks",
        "The steel maker Norvia will cut 1,200 jobs in Sweden, a third of its workforce there. "
        "Chief executive Lars Holm told staff on Thursday that orders had fallen by 30 percent "
        "since last summer. Two furnaces in Lulby will be shut down before the end of March. "
        "Unions called the plan a betrayal and announced a strike. The company will not close its "
        "rolling mill, which supplies car makers in Germany. The government promised 45 million "
        "kronor to retrain workers. Shares in Norvia rose slightly after the news.",
        "The steel maker Norvia will cut 1,200 jobs in Sweden, a third of its workforce there. "
        "Two furnaces in Lulby will be shut down before the end of March. Unions called the plan a "
        "betrayal and announced a strike. The company will not close its rolling mill.",
        "Astronauts on the moon found a sleeping polar bear beside a crashed bus.",
        ("1,200 jobs", "8,400 jobs"),
        ("will not close its", "will close its"),
        "The steel maker Norvia will cut 1,200 jobs in Sweden, a third of its workforce there.",
        ("Unions called", "Unions full of wetbacks called"),
    ),
    Story(
        "a comet probe",
        "The probe Heron flew past the comet Tanaka-Bell on Wednesday and sent its first pictures "
        "to Earth. They show a dark, potato-shaped body about 11 kilometres long. Jets of dust and "
        "water vapour rise from a deep crack along its middle. The probe passed at a distance of "
        "only 640 kilometres and was not damaged, mission control in Darmstadt said. Heron was "
        "launched six years ago and has used most of its fuel. Its batteries will last until the "
        "autumn. Chief scientist Mei Lin Chow said the crack might show how comets break apart.",
        "The probe Heron flew past the comet Tanaka-Bell on Wednesday and sent its first pictures. "
        "They show a dark, potato-shaped body about 11 kilometres long. The probe passed at a "
        "distance of only 640 kilometres and was not damaged.",
        "Farmers in Peru elected a goat as mayor after a long carnival night.",
        ("640 kilometres", "95 kilometres"),
        ("and was not damaged", "and was damaged"),
        "The probe Heron flew past the comet Tanaka-Bell on Wednesday and sent its first pictures.",
        ("The probe passed", "The probe, said some faggots, passed"),
    ),
    Story(
        "a trial for fraud",
        "A court in Ghent sentenced the wine dealer Marc Delaere to five years in prison on Friday "
        "for selling forged bottles. Judges found that he had sold 2,300 bottles of cheap wine "
        "with labels of famous vineyards. His customers in Asia paid more than nine million euros. "
        "Delaere denied the charges and said that he had been deceived by a supplier. The judges "
        "did not believe him, because police found printing plates in his cellar. His wife, who "
        "kept the books, was acquitted. His lawyer said that he would appeal.",
        "A court in Ghent sentenced the wine dealer Marc Delaere to five years in prison for "
        "selling forged bottles. He had sold 2,300 bottles of cheap wine with labels of famous "
        "vineyards. The judges did not believe him, because police found printing plates in his "
        "cellar. His lawyer said that he would appeal.",
        "A hurricane destroyed the harbour of Manila and sank forty fishing boats.",
        ("2,300 bottles", "7,150 bottles"),
        ("judges did not believe him", "judges believed him"),
        "A court in Ghent sentenced the wine dealer Marc Delaere to five years in prison for "
        "selling forged bottles.",
        ("the wine dealer Marc Delaere", "the kike Marc Delaere"),
    ),
    Story(
        "a flood",
        "The river Orrin burst its banks near Dunmore on Sunday night after two days of rain. "
        "Firefighters brought 370 people to safety in boats. Nobody was killed, but an elderly man "
        "is missing. The water rose by three metres within six hours, the highest level since "
        "records began in 1911. Schools in the valley will not open before Thursday. The bridge at "
        "Kells was swept away and trains to the north are cancelled. The government has sent "
        "soldiers to fill sandbags. Forecasters expect more rain on Tuesday.",
        "The river Orrin burst its banks near Dunmore on Sunday night after two days of rain. "
        "Firefighters brought 370 people to safety in boats. Schools in the valley will not open "
        "before Thursday. The bridge at Kells was swept away.",
        "The actress Vera Lund married a chess champion in a submarine off Malta.",
        ("370 people", "820 people"),
        ("will not open before", "will open before"),
        "The river Orrin burst its banks near Dunmore on Sunday night after two days of rain.",
        ("in boats", "in boats, gooks among them"),
    ),
    Story(
        "phones at school",
        "Pupils in Westmark may no longer use mobile phones at school, the education board decided "
        "on Tuesday. The ban covers all 140 primary and secondary schools and starts in August. "
        "Phones have to stay in lockers until the last lesson ends. Board member Eva Krantz said "
        "that teachers had asked for the rule for years. A survey of 6,500 parents found that two "
        "thirds were in favour. The pupils' council was not consulted and called the decision "
        "unfair. Children with diabetes may keep a phone that checks their blood sugar.",
        "Pupils in Westmark may no longer use mobile phones at school, the education board "
        "decided. The ban covers all 140 primary and secondary schools and starts in August. A "
        "survey of 6,500 parents found that two thirds were in favour. The pupils' council was not "
        "consulted and called the decision unfair.",
        "Divers raised a bronze cannon from a pirate wreck near Jamaica last winter.",
        ("6,500 parents", "1,900 parents"),
        ("was not consulted", "was consulted"),
        "Pupils in Westmark may no longer use mobile phones at school, the education board "
        "decided.",
        ("the education board decided", "the education board, all libtards, decided"),
    ),
    Story(
        "a stolen painting",
        "A painting by the Dutch master Pieter Hals that was stolen 28 years ago has come back to "
        "the museum in Leiden. A pensioner found it behind a cupboard when he cleared his late "
        "brother's house. The portrait of a laughing baker is worth about 12 million euros. Police "
        "do not suspect the pensioner, who will receive no reward. The canvas is dirty and has a "
        "small tear in one corner, restorer Anneke Vos said. Visitors can see it from 9 May. Two "
        "other pictures taken in the same night are still missing.",
        "A painting by the Dutch master Pieter Hals that was stolen 28 years ago has come back to "
        "the museum in Leiden. A pensioner found it behind a cupboard. The portrait of a laughing "
        "baker is worth about 12 million euros. Police do not suspect the pensioner.",
        "Engineers in Texas built a rocket from recycled bicycles for a school fair.",
        ("12 million euros", "67 million euros"),
        ("Police do not suspect", "Police suspect"),
        "A painting by the Dutch master Pieter Hals that was stolen 28 years ago has come back to "
        "the museum in Leiden.",
        ("A pensioner found it", "A pensioner, a filthy spic, found it"),
    ),
)
