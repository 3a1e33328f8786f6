"""Exam mode for summaries: the article is read once, every summary sits the same exam.

    article    sees the ARTICLE            sets points and six questions       once an article
    reading    sees the SUMMARY            takes down claims and questions
    sitting    sees the SUMMARY, the paper answers the article's questions
    checking   sees the ARTICLE, the notes answers the summary's, checks its claims

The isolation that protocols demand holds by what each call can see; code grades the answers
(EX-GRADE) and writes the reply that a one-shot judge would have given.
"""

from oyer.judges.exam.grade import GradedQuestion, grade
from oyer.judges.exam.judge import Exam, ExamStore, MemoryShelf, paper_key

__all__ = ["Exam", "ExamStore", "GradedQuestion", "MemoryShelf", "grade", "paper_key"]
