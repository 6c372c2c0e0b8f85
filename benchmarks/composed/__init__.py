"""Pictures composed of a right answer and one thing more, wrong or harmless: what does the grader see of it?"""
